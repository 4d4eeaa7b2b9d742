// Lines to a file descriptor, gathered for a moment and written in one piece, without ever blocking
// the event loop. If whoever reads them is too slow, lines are dropped and counted rather than kept
// without end.

import { write, writeSync } from 'node:fs'

export interface BufferedWriterOptions {
  chunkBytes?: number
  flushEveryMs?: number
  mostWaitingChunks?: number
}

/** The reader of a pipe is busy: worth trying again shortly. */
const RETRY_MS = 20

export class BufferedWriter {
  readonly #fd: number
  readonly #chunkBytes: number
  readonly #flushEveryMs: number
  readonly #mostWaiting: number
  readonly #waiting: Buffer[] = []
  #filling: Buffer
  #used = 0
  #timer: NodeJS.Timeout | undefined
  #isWriting = false
  #dropped = 0

  constructor(fd: number, options: BufferedWriterOptions = {}) {
    const { chunkBytes = 65_536, flushEveryMs = 100, mostWaitingChunks = 256 } = options
    this.#fd = fd
    this.#chunkBytes = chunkBytes
    this.#flushEveryMs = flushEveryMs
    this.#mostWaiting = mostWaitingChunks
    this.#filling = Buffer.allocUnsafe(chunkBytes)
  }

  /** How many lines were dropped because they could not be written fast enough. */
  get dropped(): number {
    return this.#dropped
  }

  write(line: string): void {
    // UTF-8 takes at most three bytes for each unit of a JavaScript string.
    const mostBytes = line.length * 3
    if (this.#used + mostBytes > this.#chunkBytes) this.flush()
    if (this.#waiting.length >= this.#mostWaiting) {
      this.#dropped += 1
      return
    }
    if (mostBytes > this.#chunkBytes) {
      this.#waiting.push(Buffer.from(line))
      this.#writeNext()
      return
    }
    this.#used += this.#filling.write(line, this.#used)
    this.#timer ??= setTimeout(() => this.flush(), this.#flushEveryMs).unref()
  }

  flush(): void {
    this.#closeChunk()
    this.#writeNext()
  }

  /** For the end of the process, when there is no later. What is being written is left to finish. */
  flushSync(): void {
    this.#closeChunk()
    for (const chunk of this.#waiting.splice(this.#isWriting ? 1 : 0)) writeFully(this.#fd, chunk)
  }

  #closeChunk(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#used === 0) return
    this.#waiting.push(this.#filling.subarray(0, this.#used))
    this.#filling = Buffer.allocUnsafe(this.#chunkBytes)
    this.#used = 0
  }

  #writeNext(): void {
    const [chunk] = this.#waiting
    if (this.#isWriting || chunk === undefined) return

    this.#isWriting = true
    write(this.#fd, chunk, (error, written) => {
      this.#isWriting = false
      if (error?.code === 'EAGAIN') {
        setTimeout(() => this.#writeNext(), RETRY_MS).unref()
        return
      }
      // An output that is gone for good takes its lines with it.
      if (error !== null || written === chunk.length) this.#waiting.shift()
      else this.#waiting[0] = chunk.subarray(written)
      this.#writeNext()
    })
  }
}

function writeFully(fd: number, chunk: Buffer): void {
  try {
    for (let offset = 0; offset < chunk.length;) offset += writeSync(fd, chunk, offset)
  } catch {
    // nobody reads any more, and there is nobody to tell
  }
}
