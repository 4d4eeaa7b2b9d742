import { randomBytes } from 'node:crypto'
import { BoundedMap } from '../lib/bounded-map.ts'
import { seconds } from '../lib/duration.ts'

interface Grant {
  clientId: string
  endsAt: number
}

export interface Credentials {
  id: string
  secret: string
}

export interface TokenOptions {
  /** Unset: any that are not empty. */
  credentials?: Credentials | undefined
  lifetimeSeconds?: number | undefined
}

const TOKENS_KEPT = 10_000
const DAY_SECONDS = 86_400

/** The forum's access tokens: who gets one, and whose one is. */
export class Tokens {
  readonly #grants = new BoundedMap<string, Grant>(TOKENS_KEPT)
  readonly #credentials: Credentials | undefined
  readonly lifetimeSeconds: number

  constructor({ credentials, lifetimeSeconds = DAY_SECONDS }: TokenOptions) {
    this.#credentials = credentials
    this.lifetimeSeconds = lifetimeSeconds
  }

  /** Null when the credentials are not accepted. */
  grant(authorization: string, now: number): string | null {
    const given = readBasic(authorization)
    if (given === null || !this.#accepts(given)) return null
    const token = randomBytes(24).toString('base64url')
    this.#grants.set(token, { clientId: given.id, endsAt: now + seconds(this.lifetimeSeconds) })
    return token
  }

  /** The client a token was given to; null when it is unknown or has ended. */
  clientOf(authorization: string, now: number): string | null {
    const token = /^bearer (?<token>\S+)$/i.exec(authorization)?.groups?.['token'] ?? ''
    const grant = this.#grants.get(token)
    return grant !== undefined && grant.endsAt > now ? grant.clientId : null
  }

  revokeAll(): void {
    this.#grants.clear()
  }

  #accepts({ id, secret }: Credentials): boolean {
    if (this.#credentials === undefined) return id !== '' && secret !== ''
    return id === this.#credentials.id && secret === this.#credentials.secret
  }
}

function readBasic(authorization: string): Credentials | null {
  const encoded = /^basic (?<encoded>\S+)$/i.exec(authorization)?.groups?.['encoded']
  if (encoded === undefined) return null
  const [id = '', ...rest] = Buffer.from(encoded, 'base64').toString().split(':')
  return { id, secret: rest.join(':') }
}
