// One attempt: a POST and what came back, whatever that is. Never throws.

import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { retryAfterMs } from '../lib/retry-after.ts'
import type { Outcome } from './delivery.ts'
import { inWords } from './post-error.ts'

const DEADLINE_MS = 15_000
const READ_BYTES = 16_384
const SNIPPET_CHARACTERS = 1_024

export interface Post {
  url: string
  headers: Record<string, string>
  body: Buffer
}

export interface PostTerms {
  dispatcher: Dispatcher
  now(): number
  deadlineMs?: number
}

export async function post(request: Post, terms: PostTerms): Promise<Outcome> {
  const { deadlineMs = DEADLINE_MS } = terms
  const startedAt = terms.now()
  const begun = performance.now()
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), deadlineMs)
  try {
    const answer = await exchange(request, terms, deadline.signal)
    const durationMs = Math.round(performance.now() - begun)
    return { ...answer, startedAt, durationMs }
  } catch (error) {
    const durationMs = Math.round(performance.now() - begun)
    const words = deadline.signal.aborted
      ? `No complete answer within ${deadlineMs / 1_000} s`
      : inWords(error)
    const none = { ok: false, status: null, snippet: '', retryAfterMs: null }
    return { ...none, error: words, startedAt, durationMs }
  } finally {
    clearTimeout(timer)
  }
}

async function exchange(
  { url, headers, body }: Post,
  { dispatcher, now }: PostTerms,
  signal: AbortSignal,
): Promise<Omit<Outcome, 'startedAt' | 'durationMs'>> {
  const { origin, pathname, search } = new URL(url)
  const answer = await dispatcher.request({
    origin,
    path: `${pathname}${search}`,
    method: 'POST',
    headers,
    body,
    signal,
  })
  const status = answer.statusCode
  const snippet = await beginningOf(answer.body as Readable, answer.headers['content-encoding'])
  const ok = status >= 200 && status <= 299
  const wish = ok ? null : retryAfterMs(headerOf(answer.headers['retry-after']), now())
  return { ok, status, error: ok ? null : `HTTP ${status}`, snippet, retryAfterMs: wish }
}

/** Of what is too long the rest is left unread, which costs the connection. */
async function beginningOf(
  body: Readable,
  encoding: string | string[] | undefined,
): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of plain(body, headerOf(encoding))) {
    chunks.push(chunk as Buffer)
    size += (chunk as Buffer).length
    if (size >= READ_BYTES) break
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks, size).subarray(0, READ_BYTES))
  return text.slice(0, SNIPPET_CHARACTERS).replaceAll('\0', '').toWellFormed()
}

function headerOf(value: string | string[] | undefined): string {
  return String(value ?? '').trim()
}

function plain(body: Readable, encoding: string): Readable {
  const decoder = decoderOf(encoding.toLowerCase())
  return decoder === null ? body : pipeline(body, decoder, () => {}) // met by whoever reads
}

/** What is encoded in another way is shown as it came. */
function decoderOf(encoding: string): Transform | null {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      return null
  }
}
