// A small HTTP server on this machine that answers as a test says, and remembers what it was asked.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Asked {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: string
}

export interface Reply {
  status?: number
  headers?: Record<string, string>
  body?: string | Buffer
  /** `hang`: no end ever comes. `cut`: the connection is closed before the end. */
  ending?: 'hang' | 'cut'
}

export type Script = (asked: Asked) => Reply | Promise<Reply>

export class ScriptedServer implements AsyncDisposable {
  readonly asked: Asked[] = []
  readonly #server: Server
  script: Script

  constructor(script: Script) {
    this.script = script
    this.#server = createServer((request, response) => void this.#serve(request, response))
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get paths(): string[] {
    return this.asked.map(({ path }) => path)
  }

  async listen(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#server.listen(0, '127.0.0.1', resolve)
    await promise
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#server.close(() => resolve())
    this.#server.closeAllConnections()
    await promise
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url)
    const asked: Asked = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: await text(request),
    }
    this.asked.push(asked)
    send(response, await this.script(asked))
  }
}

/** Listens on a free port of this machine. */
export async function scriptedServer(script: Script): Promise<ScriptedServer> {
  const server = new ScriptedServer(script)
  await server.listen()
  return server
}

export function json(value: unknown, headers: Record<string, string> = {}): Reply {
  const body = JSON.stringify(value)
  return { headers: { 'content-type': 'application/json', ...headers }, body }
}

function send(response: ServerResponse, reply: Reply): void {
  const { status = 200, headers = {}, body = '', ending } = reply
  if (ending === 'hang' && body === '') return
  response.writeHead(status, headers)
  if (ending === undefined) {
    response.end(body)
    return
  }
  response.write(body, () => {
    if (ending === 'cut') response.destroy()
  })
}
