// Somebody who makes keys over HTTP, several at a time and without a pause, and remembers which of
// them the service has acknowledged.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from './client.ts'

export interface WrittenKey {
  id: string
  key: string
}

const CONCURRENCY = 16
const LOOK_EVERY_MS = 5

export class KeyWriter implements AsyncDisposable {
  readonly acknowledged: WrittenKey[] = []
  /** Answers other than 200, and requests without an answer; each ends one of the sixteen. */
  readonly failures: unknown[] = []
  readonly #client: Client
  readonly #ended: Promise<unknown>
  #stopping = false

  /** The client must be signed in. */
  constructor(client: Client) {
    this.#client = client
    this.#ended = Promise.all(Array.from({ length: CONCURRENCY }, () => this.#write()))
  }

  /** Returns when so many are acknowledged in all, or when nobody writes any more. */
  async reached(count: number): Promise<void> {
    while (this.acknowledged.length < count && this.failures.length < CONCURRENCY) {
      await sleep(LOOK_EVERY_MS)
    }
  }

  /** Lets what is under way come to its end. */
  async stop(): Promise<void> {
    this.#stopping = true
    await this.#ended
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  async #write(): Promise<void> {
    while (!this.#stopping) {
      try {
        const { status, body } = await this.#client.post('/api/keys', { name: 'one of many' })
        if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
        this.acknowledged.push(body.data as unknown as WrittenKey)
      } catch (error) {
        this.failures.push(error)
        return
      }
    }
  }
}
