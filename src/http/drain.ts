// Stopping without failing anybody. From the start of the drain nothing new is let in, and every
// answer asks its client to close the connection: one that is in use ends after an answer, never
// under a request. What nobody has used by the end of the quiet time is closed as idle.

import { Server as NetServer } from 'node:net'
import { promisify } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Long enough for a request that was already on its way when the drain began. */
const QUIET_MS = 500
const CHECK_EVERY_MS = 50

export class Drain {
  readonly #server: FastifyInstance
  #started = false

  constructor(server: FastifyInstance) {
    this.#server = server
  }

  get started(): boolean {
    return this.#started
  }

  async run(timeoutMs: number): Promise<void> {
    const { server } = this.#server
    const deadline = performance.now() + timeoutMs
    this.#started = true
    // Not the HTTP server's own close(), which would cut idle connections at once.
    NetServer.prototype.close.call(server)
    await sleep(Math.min(QUIET_MS, timeoutMs))
    while ((await this.#connections()) > 0 && performance.now() < deadline) {
      server.closeIdleConnections()
      await sleep(CHECK_EVERY_MS)
    }
    server.closeAllConnections()
    await this.#server.close()
  }

  #connections(): Promise<number> {
    const { server } = this.#server
    return promisify(server.getConnections.bind(server))()
  }
}
