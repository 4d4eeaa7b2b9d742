import type { Dispatcher } from 'undici'
import { BoundedMap } from '../lib/bounded-map.ts'
import type { Claimed, Outcome } from './delivery.ts'
import { post } from './post.ts'
import type { Material } from './material-store.ts'
import { signatureHeaders, signingKeys, type SigningKeys } from './signing.ts'
import { unsealed } from './webhook-secret.ts'
import { mistakeInUrl } from './webhook-url.ts'

export interface AttemptTerms {
  dispatcher: Dispatcher
  /** Opens the secrets. */
  key: Buffer
  userAgent: string
  production: boolean
  now(): number
}

/** Sends the event's own bytes, signed anew. Never throws. */
export async function attempt(
  claimed: Claimed,
  material: Material,
  terms: AttemptTerms,
): Promise<Outcome> {
  const now = terms.now()
  const mistake = mistakeInUrl(material.url, terms)
  if (mistake !== null) return notSent(`Not sent. ${mistake}`, now)
  try {
    const body = Buffer.from(material.body)
    const headers = headersFor(claimed, material, { terms, body, now })
    return await post({ url: material.url, headers, body }, terms)
  } catch (error) {
    return notSent(error instanceof Error ? error.message : String(error), now)
  }
}

function notSent(error: string, startedAt: number): Outcome {
  const none = { ok: false, status: null, snippet: '', retryAfterMs: null, durationMs: 0 }
  return { ...none, error, startedAt }
}

function headersFor(
  { kind, eventId, webhookId }: Claimed,
  material: Material,
  { terms, body, now }: { terms: AttemptTerms; body: Buffer; now: number },
): Record<string, string> {
  const { secret, previousSecret, previousSecretUntil } = material
  const stillValid = previousSecret !== null && (previousSecretUntil ?? 0) > now
  return {
    'content-type': 'application/json',
    'user-agent': terms.userAgent,
    ...signatureHeaders({
      kind,
      eventId,
      body,
      keys: opened(terms.key, webhookId, secret),
      previousKeys: stillValid ? opened(terms.key, webhookId, previousSecret) : null,
      timestamp: Math.floor(now / 1_000),
    }),
  }
}

const KEYS_KEPT = 1_000
/** By what the secrets look like sealed: opening one takes as long as signing with it. */
const keysOf = new BoundedMap<string, SigningKeys>(KEYS_KEPT)

function opened(key: Buffer, webhookId: string, text: string): SigningKeys {
  const known = keysOf.get(text)
  if (known !== undefined) return known
  const keys = signingKeys(unsealed(key, webhookId, text))
  keysOf.set(text, keys)
  return keys
}
