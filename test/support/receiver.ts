// A receiver of webhooks, on this machine: real HTTP, or real TLS with one of the certificates of the
// fixtures. It keeps what it got and answers as the test wants.

import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface Receiver extends AsyncDisposable {
  url: string
  port: number
  /** In the order in which they came. */
  got: Received[]
}

/** Answers one request; `count` is how many there were, this one included. */
export type Answering = (response: ServerResponse, got: Received, count: number) => void

export function answering(status: number, body = ''): Answering {
  return (response) => void response.writeHead(status).end(body)
}

export interface Holding {
  answer: Answering
  /** Lets every answer go, those to come included. */
  release(): void
}

/** Lets its senders wait until it is told not to. */
export function holding(then: Answering = answering(200)): Holding {
  const releasing = Promise.withResolvers<void>()
  return {
    answer: (response, got, count) => void releasing.promise.then(() => then(response, got, count)),
    release: () => releasing.resolve(),
  }
}

export interface Certificate {
  key: string
  cert: string
}

export async function receiver(
  answer: Answering = answering(200, 'thanks'),
  certificate?: Certificate,
): Promise<Receiver> {
  const got: Received[] = []
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = request
    const received = { method, path, headers, body: await buffer(request) }
    got.push(received)
    answer(response, received, got.length)
  }
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    // A sender that goes away in the middle is part of some tests.
    take(request, response).catch(() => response.destroy())
  }
  const server: Server =
    certificate === undefined
      ? createServer(listener)
      : createSecureServer({ ...certificate }, listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const scheme = certificate === undefined ? 'http' : 'https'
  return {
    url: `${scheme}://127.0.0.1:${port}/hook`,
    port,
    got,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
