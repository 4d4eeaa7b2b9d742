import type { IncomingHttpHeaders } from 'node:http'

/** A request, read whole. */
export interface Asked {
  params: Record<string, string | undefined>
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: string
}

export interface Reply {
  status: number
  headers: Record<string, string>
  body: string
}

export interface Route {
  /** What the request counts tell it by. */
  name: string
  method: 'GET' | 'POST'
  path: RegExp
  /** Which channel it is about, if about one: `forum/selfhosted`. */
  channel?(params: Asked['params']): string
  answer(asked: Asked): Reply
}

export function json(status: number, value: unknown, headers: Reply['headers'] = {}): Reply {
  return jsonText(status, JSON.stringify(value), headers)
}

export function jsonText(status: number, body: string, headers: Reply['headers'] = {}): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
    body,
  }
}
