// Stands between the program and a simulation, passes everything on, and notes who asked for what,
// from when to when. `await using watch = await watchRequests(simulation.url)`.

import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Exchange {
  path: string
  /** The user agent, by which processes are told apart. */
  by: string
  beganAt: number
  /** Null while it goes on; answered or given up otherwise. */
  endedAt: number | null
}

export interface RequestWatch extends AsyncDisposable {
  url: string
  exchanges: Exchange[]
}

export async function watchRequests(targetUrl: string): Promise<RequestWatch> {
  const exchanges: Exchange[] = []
  const server = createServer((asked, answer) => {
    const { pathname } = new URL(asked.url ?? '/', targetUrl)
    const by = asked.headers['user-agent'] ?? ''
    const exchange: Exchange = { path: pathname, by, beganAt: Date.now(), endedAt: null }
    exchanges.push(exchange)
    answer.once('close', () => (exchange.endedAt = Date.now()))
    passOn(targetUrl, asked, answer)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function passOn(targetUrl: string, asked: IncomingMessage, answer: ServerResponse): void {
  const { method, headers, url = '/' } = asked
  const onward = request(new URL(url, targetUrl), { method, headers }, (reply) => {
    answer.writeHead(reply.statusCode ?? 502, reply.headers)
    reply.pipe(answer)
  })
  onward.on('error', () => answer.destroy())
  answer.once('close', () => onward.destroy())
  asked.pipe(onward)
}

/** Pairs that were under way at the same time, of those given. */
export function overlapsIn(exchanges: readonly Exchange[]): [Exchange, Exchange][] {
  const ordered = exchanges.toSorted((one, other) => one.beganAt - other.beganAt)
  return ordered.flatMap((one, index): [Exchange, Exchange][] => {
    const next = ordered[index + 1]
    if (next === undefined || (one.endedAt ?? Infinity) <= next.beganAt) return []
    return [[one, next]]
  })
}
