// How a delivery is signed: in the format of its kind, and beside that as Standard Webhooks says, so that
// its libraries verify it too. Everything is over the very bytes that are sent.

import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { EVENT_FORMATS, type EventKind } from '../contract/event.ts'
import { SECRET_PREFIX } from './webhook-secret.ts'

/** What a secret signs with. */
export interface SigningKeys {
  /** Its characters. */
  whole: KeyObject
  /** What it encodes, which is what Standard Webhooks signs with. */
  encoded: KeyObject
}

export function signingKeys(secret: string): SigningKeys {
  return {
    whole: createSecretKey(secret, 'utf8'),
    encoded: createSecretKey(secret.slice(SECRET_PREFIX.length), 'base64'),
  }
}

export interface Signed {
  kind: EventKind
  eventId: string
  body: Buffer
  keys: SigningKeys
  /** Valid for a while after a rotation, in the Standard Webhooks header only. */
  previousKeys: SigningKeys | null
  /** Unix time in seconds. */
  timestamp: number
}

export function signatureHeaders(signed: Signed): Record<string, string> {
  return { ...formatHeaders(signed), ...standardHeaders(signed) }
}

function formatHeaders({ kind, body, keys, timestamp }: Signed): Record<string, string> {
  if (EVENT_FORMATS[kind] === 'B') {
    return { 'x-service-signature': hmac(keys.whole).update(body).digest('hex') }
  }
  const signature = hmac(keys.whole).update(`${timestamp}.`).update(body).digest('hex')
  return {
    'service-signature': `v1=${signature}`,
    'service-timestamp': String(timestamp),
    'service-event': kind,
  }
}

function standardHeaders(signed: Signed): Record<string, string> {
  const { eventId, timestamp, keys, previousKeys } = signed
  const all = previousKeys === null ? [keys] : [keys, previousKeys]
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': all.map(({ encoded }) => standardSignature(signed, encoded)).join(' '),
  }
}

function standardSignature({ eventId, timestamp, body }: Signed, key: KeyObject): string {
  const signature = hmac(key).update(`${eventId}.${timestamp}.`).update(body).digest('base64')
  return `v1,${signature}`
}

function hmac(key: KeyObject) {
  return createHmac('sha256', key)
}
