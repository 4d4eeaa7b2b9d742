// The near side of a SQLite connection: sends requests to its thread and hands back the answers.

import { Worker } from 'node:worker_threads'
import { OperatorError } from '../../errors.ts'
import { QueryTimeoutError } from '../query-timeout.ts'
import {
  UP,
  type Envelope,
  type Failure,
  type Reply,
  type Request,
  type ThreadOptions,
} from './messages.ts'

const WORKER = new URL('./worker.ts', import.meta.url)

/** How often, within the time a read may take, it is looked whether one takes longer. */
const LOOKS = 4
const LOOK_EVERY_MIN_MS = 25

interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
  /** Null when it may take its time, or was given up already. */
  answerBy: number | null
}

/** What SQLite said, with its extended result code. */
export class SqliteError extends Error {
  override readonly name = 'SqliteError'
  readonly errcode: number | undefined

  constructor(message: string, errcode: number | undefined) {
    super(message)
    this.errcode = errcode
  }
}

/** The connection is gone for good; only a restart brings it back. */
export class ThreadEndedError extends Error {
  override readonly name = 'ThreadEndedError'
}

export class SqliteThread implements AsyncDisposable {
  readonly #worker: Worker
  /** In the order they were asked, the oldest first. */
  readonly #waiting = new Map<number, Waiting>()
  readonly #timeoutMs: number
  readonly #looking: NodeJS.Timeout | undefined
  #lastId = UP
  #isUp = false
  #death: Error | undefined

  /** Only statements have a limit, and only when it is above 0. */
  constructor(options: ThreadOptions, timeoutMs = 0) {
    this.#timeoutMs = timeoutMs
    this.#looking = timeoutMs > 0 ? this.#look() : undefined
    this.#worker = new Worker(WORKER, { workerData: options })
    this.#worker.on('message', (reply: Reply) => this.#settle(reply))
    this.#worker.on('error', (error) => this.#die((error as Error).message))
    this.#worker.on('exit', () => this.#die('the database thread has ended'))
  }

  /** How many calls are under way or waiting in this thread. */
  get load(): number {
    return this.#waiting.size
  }

  call<Result>(request: Request): Promise<Result> {
    if (this.#death !== undefined) return Promise.reject(this.#death)

    this.#lastId += 1
    const id = this.#lastId
    // That a thread takes a while to start is no fault of what is asked first.
    const isLimited = this.#timeoutMs > 0 && this.#isUp && request.kind === 'statement'
    const answerBy = isLimited ? Date.now() + this.#timeoutMs : null
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, answerBy })
      this.#worker.postMessage({ id, request, answerBy } satisfies Envelope)
    }) as Promise<Result>
  }

  /** One timer for all: one for each read would cost more than the look-up of a row. */
  #look(): NodeJS.Timeout {
    const everyMs = Math.max(LOOK_EVERY_MIN_MS, this.#timeoutMs / LOOKS)
    // Behind the answers that have come already: this side may have been the slow one.
    return setInterval(() => setImmediate(() => this.#giveUpLate()), everyMs).unref()
  }

  /** The thread goes on with what it has begun, and counts as busy until then. */
  #giveUpLate(): void {
    const now = Date.now()
    for (const waiting of this.#waiting.values()) {
      if (waiting.answerBy === null) continue
      if (waiting.answerBy >= now) break
      waiting.answerBy = null
      waiting.reject(new QueryTimeoutError('the read took too long'))
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#death === undefined) await this.call({ kind: 'close' }).catch(() => {})
    await this.#worker.terminate()
  }

  #settle({ id, outcome }: Reply): void {
    this.#isUp = true
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (outcome.ok) waiting?.resolve(outcome.result)
    else waiting?.reject(errorOf(outcome.failure))
  }

  #die(reason: string): void {
    clearInterval(this.#looking)
    this.#death ??= new ThreadEndedError(reason)
    for (const { reject } of this.#waiting.values()) reject(this.#death)
    this.#waiting.clear()
  }
}

export function errorOf({ message, errcode, operator, late = false }: Failure): Error {
  if (late) return new QueryTimeoutError(message)
  return operator ? new OperatorError(message) : new SqliteError(message, errcode)
}
