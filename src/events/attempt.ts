import type { Dispatcher } from 'undici'
import type { Claimed, Outcome } from './delivery.ts'
import { post } from './post.ts'
import type { Material } from './sending-store.ts'
import { signatureHeaders } from './signing.ts'
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
    const headers = { ...headersFor(claimed, material, { terms, body, now }) }
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
      secret: unsealed(terms.key, webhookId, secret),
      previousSecret: stillValid ? unsealed(terms.key, webhookId, previousSecret) : null,
      timestamp: Math.floor(now / 1_000),
    }),
  }
}
