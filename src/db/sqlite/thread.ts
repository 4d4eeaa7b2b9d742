// The near side of a SQLite connection: sends requests to its thread and hands back the answers.

import { Worker } from 'node:worker_threads'
import { OperatorError } from '../../errors.ts'
import type { Envelope, Failure, Reply, Request, ThreadOptions } from './messages.ts'

const WORKER = new URL('./worker.ts', import.meta.url)

interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
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
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0
  #death: Error | undefined

  constructor(options: ThreadOptions) {
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
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#worker.postMessage({ id, request } satisfies Envelope)
    }) as Promise<Result>
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#death === undefined) await this.call({ kind: 'close' }).catch(() => {})
    await this.#worker.terminate()
  }

  #settle({ id, outcome }: Reply): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (outcome.ok) waiting?.resolve(outcome.result)
    else waiting?.reject(errorOf(outcome.failure))
  }

  #die(reason: string): void {
    this.#death ??= new ThreadEndedError(reason)
    for (const { reject } of this.#waiting.values()) reject(this.#death)
    this.#waiting.clear()
  }
}

export function errorOf({ message, errcode, operator }: Failure): Error {
  return operator ? new OperatorError(message) : new SqliteError(message, errcode)
}
