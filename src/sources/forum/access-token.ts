import type { Clock } from '../../lib/clock.ts'
import { minutes, seconds } from '../../lib/duration.ts'
import type { Client } from '../http/client.ts'
import { address } from '../http/address.ts'
import { readJson } from '../http/read-json.ts'
import { SourceError } from '../source.ts'
import { Token } from './schema.ts'
import type { Credentials } from './settings.ts'

/** A token is renewed this long before it ends, so that it does not end on its way. */
const MARGIN_MS = minutes(1)

export interface TokenTerms {
  webUrl: string
  credentials: Credentials
  client: Client
  clock: Clock
}

/** Our right to use the API: had once for all who ask, kept until shortly before it ends. */
export class AccessToken {
  readonly #terms: TokenTerms
  #token: string | null = null
  #endsAt = 0
  #renewal: Promise<string> | null = null

  constructor(terms: TokenTerms) {
    this.#terms = terms
  }

  async get(signal: AbortSignal): Promise<string> {
    if (this.#token !== null && this.#terms.clock() < this.#endsAt) return this.#token
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = null
    })
    return await unlessAborted(this.#renewal, signal)
  }

  /** The platform did not accept it: the next one who asks has a new one made. */
  drop(token: string): void {
    if (this.#token === token) this.#token = null
  }

  async #renew(): Promise<string> {
    const { clock } = this.#terms
    const askedAt = clock()
    const { access_token: token, expires_in: livesSeconds } = await this.#ask()
    this.#token = token
    this.#endsAt = askedAt + Math.max(0, seconds(livesSeconds) - MARGIN_MS)
    return token
  }

  async #ask() {
    const { client, webUrl, credentials } = this.#terms
    const basic = Buffer.from(`${credentials.id}:${credentials.secret}`).toString('base64')
    try {
      const answer = await client.post(address(webUrl, '/api/v1/access_token'), {
        headers: { authorization: `Basic ${basic}` },
        form: { grant_type: 'client_credentials' },
        signal: new AbortController().signal, // many wait for it: it ends with none of them
      })
      return readJson(answer, Token)
    } catch (error) {
      throw error instanceof SourceError ? inWords(error) : error
    }
  }
}

/** Not the channel is missing or closed, but the way in. */
function inWords(cause: SourceError): SourceError {
  switch (cause.failure) {
    case 'unauthorized':
    case 'forbidden': {
      const message = 'The forum does not accept the client id and secret it was given.'
      return new SourceError('unauthorized', message, { cause })
    }
    case 'not_found':
      return new SourceError('unreadable', 'The forum’s site gives no tokens.', { cause })
    default:
      return cause
  }
}

async function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
