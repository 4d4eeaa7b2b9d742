import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { OperatorError } from '../errors.ts'

export interface Input {
  bytes: AsyncIterable<Uint8Array>
  /** Names this state of this file; null for standard input, which cannot be read again. */
  source: string | null
  /** Of the file as it is stored; null when that is not known. */
  totalBytes: number | null
  readBytes(): number
}

const STDIN = { name: 'standard input', source: null, totalBytes: null }

const GZIP_MAGIC = [0x1f, 0x8b]

/** A file, gzipped or not, or standard input (`-`). */
export async function openInput(path: string): Promise<Input> {
  if (path === '-') return inputOf(process.stdin, STDIN)

  const facts = await stat(path).catch((error: Error) => {
    throw new OperatorError(`${path} cannot be read (${error.message}).`)
  })
  if (!facts.isFile()) throw new OperatorError(`${path} is no file.`)
  const source = `${await realpath(path)} ${facts.size} ${facts.mtimeMs}`
  return inputOf(createReadStream(path), { name: path, source, totalBytes: facts.size })
}

function inputOf(
  stream: AsyncIterable<Uint8Array>,
  { name, source, totalBytes }: Pick<Input, 'source' | 'totalBytes'> & { name: string },
): Input {
  let read = 0
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of stream) {
      read += chunk.length
      yield chunk
    }
  }
  return { bytes: unzipped(counted(), name), source, totalBytes, readBytes: () => read }
}

/** Told by its first bytes, whatever the file is called. */
async function* unzipped(
  chunks: AsyncGenerator<Uint8Array>,
  name: string,
): AsyncGenerator<Uint8Array> {
  const first = await chunks.next()
  if (first.done) return
  const isZipped = GZIP_MAGIC.every((byte, index) => first.value[index] === byte)
  const all = startingWith(first.value, chunks)
  yield* isZipped ? gunzipped(all, name) : all
}

async function* startingWith(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield first
  yield* rest
}

async function* gunzipped(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Uint8Array> {
  const source = Readable.from(chunks)
  const unzip = createGunzip()
  source.once('error', (error) => unzip.destroy(error))
  try {
    yield* source.pipe(unzip) as AsyncIterable<Uint8Array>
  } catch (error) {
    throw new OperatorError(`${name} cannot be unzipped: ${(error as Error).message}.`)
  }
}
