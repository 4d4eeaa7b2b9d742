// One attempt: a POST and what came back, whatever that is. Never throws.

import type { IncomingHttpHeaders } from 'node:http'
import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { retryAfterMs } from '../lib/retry-after.ts'
import type { Outcome } from './delivery.ts'
import { inWords, isDamage } from './post-error.ts'

const DEADLINE_MS = 15_000
const READ_BYTES = 16_384
const SNIPPET_BYTES = 1_024

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
  const exchange = new Exchange(terms.now)
  const late = `No complete answer within ${deadlineMs / 1_000} s`
  const timer = setTimeout(() => exchange.end(late), deadlineMs)
  exchange.begin(request, terms.dispatcher)
  const answer = await exchange.outcome
  clearTimeout(timer)
  return { ...answer, startedAt, durationMs: Math.round(performance.now() - begun) }
}

type Answer = Omit<Outcome, 'startedAt' | 'durationMs'>

interface Head {
  status: number
  retryAfterMs: number | null
}

/** Takes the answer as it comes: a stream and a signal for each would cost more than the rest of it. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly outcome: Promise<Answer>
  readonly #resolve: (answer: Answer) => void
  readonly #now: () => number
  #controller: Dispatcher.DispatchController | null = null
  #head: Head | null = null
  #decoder: Transform | null = null
  #chunks: Buffer[] = []
  #size = 0
  #isOver = false

  constructor(now: () => number) {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    this.outcome = promise
    this.#resolve = resolve
    this.#now = now
  }

  begin({ url, headers, body }: Post, dispatcher: Dispatcher): void {
    try {
      const { origin, pathname, search } = new URL(url)
      const path = `${pathname}${search}`
      dispatcher.dispatch({ origin, path, method: 'POST', headers, body }, this)
    } catch (error) {
      this.end(inWords(error))
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) this.#leave()
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return
    const wish = headerOf(headers['retry-after'])
    this.#head = { status, retryAfterMs: wish === '' ? null : retryAfterMs(wish, this.#now()) }
    this.#decoder = decoderOf(headerOf(headers['content-encoding']).toLowerCase())
    this.#decoder
      ?.on('data', (chunk: Buffer) => this.#take(chunk))
      .on('drain', () => controller.resume())
      .on('end', () => this.end(null))
      .on('error', (error) => {
        // It came, and cannot be read: that is no reason to send again.
        this.end(isDamage(error) ? null : inWords(error))
        this.#leave()
      })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#decoder === null) return this.#take(chunk)
    if (!this.#decoder.write(chunk)) controller.pause()
  }

  onResponseEnd(): void {
    if (this.#decoder === null) this.end(null)
    else this.#decoder.end()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.end(inWords(error))
  }

  /** Of what is too long the rest is left unread, which costs the connection. */
  #take(chunk: Buffer): void {
    if (this.#isOver) return
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#size < READ_BYTES) return
    this.end(null)
    this.#leave()
  }

  /** With what kept it from coming to its end, in words; null when nothing did. */
  end(failure: string | null): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#resolve(this.#soFar(failure))
    this.#decoder?.destroy()
    if (failure !== null) this.#leave()
  }

  #leave(): void {
    this.#controller?.abort(new Error('not waited for any more'))
  }

  /** What an answer says counts also when it breaks off; but only a whole one is a success. */
  #soFar(failure: string | null): Answer {
    const { status = null, retryAfterMs: wish = null } = this.#head ?? {}
    const snippet = failure === null ? textOf(Buffer.concat(this.#chunks, this.#size)) : ''
    const isGood = status !== null && status >= 200 && status <= 299
    if (isGood && failure === null) {
      return { ok: true, status, error: null, snippet, retryAfterMs: null }
    }
    const error = status === null || isGood ? failure : `HTTP ${status}`
    return { ok: false, status, error, snippet, retryAfterMs: wish }
  }
}

/** What is no text becomes longer when it is shown as such. */
function textOf(bytes: Buffer): string {
  if (bytes.length === 0) return ''
  const text = firstCharacters(bytes).replaceAll('\0', '')
  return firstCharacters(Buffer.from(text))
}

/** As if more came: a character that is cut in two is left out. */
function firstCharacters(bytes: Buffer): string {
  if (bytes.length <= SNIPPET_BYTES) return bytes.toString('utf8')
  return new TextDecoder().decode(bytes.subarray(0, SNIPPET_BYTES), { stream: true })
}

function headerOf(value: string | string[] | undefined): string {
  return String(value ?? '').trim()
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
