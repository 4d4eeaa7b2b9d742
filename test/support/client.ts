// A small client that keeps what a browser would keep: the cookie and the origin.

import { expect } from 'vitest'
import type { ErrorCode } from '#src/errors.ts'

export interface Answer {
  status: number
  headers: Headers
  body: Envelope
}

interface Envelope {
  success: boolean
  /** Whatever the operation answers. */
  data: Record<string, unknown>
  error?: { code: string; message: string; requestId: string; details?: Detail[] }
}

interface Detail {
  path: string
  message: string
}

interface Send {
  key?: string
  body?: unknown
  headers?: Record<string, string>
}

export class Client {
  readonly #url: string
  #cookie: string | undefined

  constructor(url: string) {
    this.#url = url
  }

  get cookie(): string | undefined {
    return this.#cookie
  }

  async send(
    method: string,
    path: string,
    { key, body, headers = {} }: Send = {},
  ): Promise<Answer> {
    const response = await fetch(this.#url + path, {
      method,
      headers: {
        origin: this.#url,
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(this.#cookie === undefined ? {} : { cookie: this.#cookie }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    this.#keepCookie(response.headers.getSetCookie()[0])
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Envelope,
    }
  }

  get(path: string, options?: Send): Promise<Answer> {
    return this.send('GET', path, options)
  }

  post(path: string, body: unknown, options?: Send): Promise<Answer> {
    return this.send('POST', path, { ...options, body })
  }

  async signIn(credentials: { email: string; password: string }): Promise<Answer> {
    const answer = await this.post('/api/session', credentials)
    expect(answer.status).toBe(200)
    return answer
  }

  #keepCookie(setCookie: string | undefined): void {
    const pair = setCookie?.split(';')[0]
    if (pair !== undefined) this.#cookie = pair.endsWith('=') ? undefined : pair
  }
}

/** Status, code, envelope and headers of a failure, all at once. */
export function expectFailure(answer: Answer, status: number, code: ErrorCode): void {
  expect({ status: answer.status, code: answer.body.error?.code }).toEqual({ status, code })
  expect(answer.body).toMatchObject({ success: false, data: {} })
  expect(answer.body.error?.message).toMatch(/\S/)
  expect(answer.body.error?.requestId).toBe(answer.headers.get('x-request-id'))
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
}
