// One request and its answer, whatever that is: no retries, no redirects. From the connection to the
// end of the body there is one deadline.

import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { SourceError } from '../source.ts'
import { EncodingError, OversizeError, readBody } from './read-body.ts'

export interface Call {
  url: URL
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string | undefined
}

export interface Exchanged {
  status: number
  headers: Record<string, string>
  /** Only of an answer that is a success; of others nobody wants it. */
  body: string
}

export interface ExchangeTerms {
  /** How the platform is called in messages. */
  name: string
  dispatcher: Dispatcher
  deadlineMs: number
  maxBytes: number
}

/** How much of an unwanted body is read to keep the connection; a longer one costs it. */
const DUMP_BYTES = 65_536

/** Codes of zlib, of brotli (`ERR__ERROR_FORMAT_PADDING_1`), and of headers that are too long. */
const DAMAGE = /^Z_|^ERR__|^ERR_BROTLI|^UND_ERR_HEADERS_OVERFLOW/

const OUTAGES: Record<string, string> = {
  ECONNREFUSED: 'it refuses connections',
  ECONNRESET: 'the connection broke',
  UND_ERR_SOCKET: 'the connection broke',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its host cannot be looked up',
}

export async function exchange(
  call: Call,
  terms: ExchangeTerms,
  signal: AbortSignal,
): Promise<Exchanged> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), terms.deadlineMs)
  try {
    const exchanged = await send(call, terms, AbortSignal.any([signal, deadline.signal]))
    signal.throwIfAborted()
    return exchanged
  } catch (error) {
    signal.throwIfAborted()
    throw deadline.signal.aborted ? late(terms, error) : inWords(terms, error)
  } finally {
    clearTimeout(timer)
  }
}

async function send(call: Call, terms: ExchangeTerms, signal: AbortSignal): Promise<Exchanged> {
  signal.throwIfAborted()
  const answer = await terms.dispatcher.request({
    origin: call.url.origin,
    path: `${call.url.pathname}${call.url.search}`,
    method: call.method,
    headers: call.headers,
    body: call.body ?? null,
    signal,
  })
  const headers = flat(answer.headers)
  const status = answer.statusCode
  if (status < 200 || status > 299) {
    await answer.body.dump({ limit: DUMP_BYTES, signal }).catch(() => {}) // the status says it all
    return { status, headers, body: '' }
  }
  const encoding = headers['content-encoding']
  const { maxBytes } = terms
  return { status, headers, body: await readBody(answer.body as Readable, { encoding, maxBytes }) }
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, String(value ?? '')])
  return Object.fromEntries(entries) as Record<string, string>
}

function late({ name, deadlineMs }: ExchangeTerms, cause: unknown): SourceError {
  const message = `The ${name} did not answer within ${deadlineMs / 1_000} s.`
  return new SourceError('unreachable', message, { cause })
}

function inWords({ name, maxBytes }: ExchangeTerms, cause: unknown): SourceError {
  if (cause instanceof OversizeError) {
    const mebibytes = Math.round((maxBytes / 1_048_576) * 100) / 100
    return new SourceError('unreadable', `The ${name} sent more than ${mebibytes} MiB.`, { cause })
  }
  const code = codeOf(cause)
  if (isDamage(cause, code)) {
    return new SourceError('unreadable', `The ${name} sent a damaged answer.`, { cause })
  }
  const reason = OUTAGES[code] ?? (code === '' ? 'no connection' : code)
  return new SourceError('unreachable', `The ${name} cannot be reached: ${reason}.`, { cause })
}

function isDamage(error: unknown, code: string): boolean {
  if (error instanceof EncodingError || DAMAGE.test(code)) return true
  return error instanceof Error && error.name === 'HTTPParserError'
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}
