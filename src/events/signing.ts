// How a delivery is signed: in the format of its kind, and beside that as Standard Webhooks says, so that
// its libraries verify it too. Everything is over the very bytes that are sent.

import { createHmac } from 'node:crypto'
import { EVENT_FORMATS, type EventKind } from '../contract/event.ts'
import { SECRET_PREFIX } from './webhook-secret.ts'

export interface Signed {
  kind: EventKind
  eventId: string
  body: Buffer
  secret: string
  /** Valid for a while after a rotation, in the Standard Webhooks header only. */
  previousSecret: string | null
  /** Unix time in seconds. */
  timestamp: number
}

export function signatureHeaders(signed: Signed): Record<string, string> {
  return { ...formatHeaders(signed), ...standardHeaders(signed) }
}

function formatHeaders({ kind, body, secret, timestamp }: Signed): Record<string, string> {
  if (EVENT_FORMATS[kind] === 'B') {
    return { 'x-service-signature': hmac(secret).update(body).digest('hex') }
  }
  const signature = hmac(secret).update(`${timestamp}.`).update(body).digest('hex')
  return {
    'service-signature': `v1=${signature}`,
    'service-timestamp': String(timestamp),
    'service-event': kind,
  }
}

function standardHeaders(signed: Signed): Record<string, string> {
  const { eventId, timestamp, secret, previousSecret } = signed
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret]
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((one) => standardSignature(signed, one)).join(' '),
  }
}

/** There the key is what the secret encodes, not its characters. */
function standardSignature({ eventId, timestamp, body }: Signed, secret: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  const signature = hmac(key).update(`${eventId}.${timestamp}.`).update(body).digest('base64')
  return `v1,${signature}`
}

function hmac(key: string | Buffer) {
  return createHmac('sha256', key)
}
