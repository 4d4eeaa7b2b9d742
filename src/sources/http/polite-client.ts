// The one way out to the platforms: paced, with retries, a deadline, a size cap, and only to where it
// was sent. A redirect is followed within the same origin alone, so that no token leaves it.

import type { Agent } from 'undici'
import { systemClock, type Clock } from '../../lib/clock.ts'
import { seconds } from '../../lib/duration.ts'
import { SourceError } from '../source.ts'
import type { Answer, Client, RequestTerms, Validators } from './client.ts'
import { exchange, type Call, type Exchanged } from './exchange.ts'
import { HostGate } from './host-gate.ts'
import { retryAfterMs } from './host-wishes.ts'
import { pause } from './pause.ts'
import { ENCODINGS } from './read-body.ts'
import { redirectTarget } from './redirect.ts'
import { refusal } from './refusal.ts'
import { retryWaitMs } from './retry.ts'

export interface ClientOptions {
  userAgent: string
  perMinute: number
  burst: number
  concurrency: number
  /** How the platform is called in messages: "The forum answered HTTP 503." */
  name?: string
  deadlineMs?: number
  maxBytes?: number
  clock?: Clock
  random?: () => number
}

export function openClient(options: ClientOptions): Client {
  return new PoliteClient(options)
}

const REDIRECTS = 3

const DEFAULTS = {
  name: 'platform',
  deadlineMs: seconds(20),
  maxBytes: 8 * 1_048_576,
  clock: systemClock,
  random: Math.random,
}

class PoliteClient implements Client {
  readonly #options: Required<ClientOptions>
  #dispatcher: Promise<Agent> | null = null
  readonly #gates = new Map<string, HostGate>()

  constructor(options: ClientOptions) {
    this.#options = { ...DEFAULTS, ...options }
  }

  async get(url: URL, terms: RequestTerms): Promise<Answer> {
    return await this.#ask({ url, method: 'GET', headers: this.#headers(terms) }, terms)
  }

  async post(url: URL, terms: RequestTerms & { form: Record<string, string> }): Promise<Answer> {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const headers = { ...this.#headers(terms), ...type }
    const body = new URLSearchParams(terms.form).toString()
    return await this.#ask({ url, method: 'POST', headers, body }, terms)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#dispatcher)?.destroy()
  }

  async #ask(call: Call, terms: RequestTerms): Promise<Answer> {
    let target = call.url
    for (let redirects = 0; redirects <= REDIRECTS; redirects += 1) {
      const exchanged = await this.#persist({ ...call, url: target }, terms.signal)
      const next = redirectTarget(exchanged, target)
      if (next === null) return this.#answerOf(exchanged, terms.validators)
      if (terms.isGone?.(next)) throw refusal(this.#options.name, 404, null)
      if (next.origin !== target.origin) throw this.#strayed('to another site')
      if (call.method !== 'GET') throw this.#strayed('where nothing may be sent')
      target = next
    }
    throw this.#strayed('in circles')
  }

  /** Tries again while that may help. */
  async #persist(call: Call, signal: AbortSignal): Promise<Exchanged> {
    const { clock, random } = this.#options
    const beganAt = clock()
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#try(call, signal)
      } catch (error) {
        if (!(error instanceof SourceError)) throw error
        const elapsedMs = clock() - beganAt
        const waitMs = retryWaitMs({ error, attempt, elapsedMs }, random())
        if (waitMs === null) throw error
        await pause(waitMs, signal)
      }
    }
  }

  async #try(call: Call, signal: AbortSignal): Promise<Exchanged> {
    const { clock, name, deadlineMs, maxBytes } = this.#options
    this.#dispatcher ??= openAgent(this.#options)
    const terms = { name, dispatcher: await this.#dispatcher, deadlineMs, maxBytes }
    const gate = this.#gateOf(call.url.host)
    const exchanged = await gate.pass(signal, async () => {
      const answer = await exchange(call, terms, signal)
      gate.heed(answer.status, answer.headers)
      return answer
    })
    if (exchanged.status < 400) return exchanged
    throw refusal(name, exchanged.status, retryAfterMs(exchanged.headers, clock()))
  }

  #gateOf(host: string): HostGate {
    const known = this.#gates.get(host)
    if (known !== undefined) return known
    const gate = new HostGate(this.#options)
    this.#gates.set(host, gate)
    return gate
  }

  #headers({ headers, validators }: RequestTerms): Record<string, string> {
    return {
      accept: '*/*',
      ...headers,
      'user-agent': this.#options.userAgent,
      'accept-encoding': ENCODINGS,
      ...(validators?.etag === undefined ? {} : { 'if-none-match': validators.etag }),
      ...(validators?.lastModified === undefined
        ? {}
        : { 'if-modified-since': validators.lastModified }),
    }
  }

  #answerOf({ status, headers, body }: Exchanged, sent: Validators | null | undefined): Answer {
    const isConditional = sent?.etag !== undefined || sent?.lastModified !== undefined
    if (status === 304 && isConditional) {
      return { notModified: true, headers, body: '', validators: sent }
    }
    if (status < 200 || status > 299) throw refusal(this.#options.name, status, null)
    const validators = { etag: headers['etag'], lastModified: headers['last-modified'] }
    return { notModified: false, headers, body, validators }
  }

  #strayed(where: string): SourceError {
    return new SourceError('unreadable', `The ${this.#options.name} sends us ${where}.`)
  }
}

/** Loaded with the first request: that takes a tenth of a second, and most commands make none. */
async function openAgent({ concurrency, deadlineMs }: Required<ClientOptions>): Promise<Agent> {
  const { Agent: Opened } = await import('undici')
  // The deadline of an exchange covers all of it; undici's own limits would only blur the message.
  return new Opened({
    connections: concurrency,
    connect: { timeout: deadlineMs },
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  })
}
