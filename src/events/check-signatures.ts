// What a receiver would find out about a request: which of its signatures verify and, where one does not,
// why. For people who write a receiver and wonder.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { seconds } from '../lib/duration.ts'
import { SECRET_PREFIX } from './webhook-secret.ts'

export interface SignedRequest {
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  body: Buffer
}

export interface Verdict {
  header: string
  ok: boolean
  /** In words. */
  reason: string
}

const TOLERANCE_MS = seconds(300)

/** One for each signature there is; none when there is none. */
export function checkSignatures(
  request: SignedRequest,
  { secret, now }: { secret: string; now: number },
): Verdict[] {
  const { headers } = request
  return [
    ...('service-signature' in headers ? [formatA(request, secret, now)] : []),
    ...('x-service-signature' in headers ? [formatB(request, secret)] : []),
    ...('webhook-signature' in headers ? [standard(request, secret, now)] : []),
  ]
}

function formatA({ headers, body }: SignedRequest, secret: string, now: number): Verdict {
  const header = 'Service-Signature'
  const timestamp = headers['service-timestamp'] ?? ''
  const given = headers['service-signature'] ?? ''
  if (!given.startsWith('v1=')) return bad(header, 'It does not begin with v1=.')
  if (!isUnixTime(timestamp)) return bad(header, noTime('Service-Timestamp'))
  const late = lateness(timestamp, now)
  const expected = (of: Buffer) => hex(secret, `${timestamp}.`, of)
  return judged(header, { given: given.slice('v1='.length), expected, body, late })
}

function formatB({ headers, body }: SignedRequest, secret: string): Verdict {
  const given = headers['x-service-signature'] ?? ''
  const expected = (of: Buffer) => hex(secret, '', of)
  return judged('X-Service-Signature', { given, expected, body, late: null })
}

function standard({ headers, body }: SignedRequest, secret: string, now: number): Verdict {
  const header = 'webhook-signature'
  const id = headers['webhook-id'] ?? ''
  const timestamp = headers['webhook-timestamp'] ?? ''
  if (id === '') return bad(header, 'The header webhook-id is missing.')
  if (!isUnixTime(timestamp)) return bad(header, noTime('webhook-timestamp'))
  const late = lateness(timestamp, now)
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  const expected = (of: Buffer) =>
    createHmac('sha256', key).update(`${id}.${timestamp}.`).update(of).digest('base64')
  const all = (headers['webhook-signature'] ?? '')
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .map((one) => one.slice('v1,'.length))
  const [first] = all
  if (first === undefined) return bad(header, 'There is no signature in it that begins with v1,.')
  const given = all.find((one) => same(one, expected(body))) ?? first
  return judged(header, { given, expected, body, late })
}

interface Comparison {
  given: string
  expected(body: Buffer): string
  body: Buffer
  /** Why the time is not right; null when it is. */
  late: string | null
}

function judged(header: string, { given, expected, body, late }: Comparison): Verdict {
  if (same(given, expected(body))) {
    return late === null ? { header, ok: true, reason: 'It verifies.' } : bad(header, late)
  }
  const trimmed = withoutLastBreak(body)
  if (trimmed !== null && same(given, expected(trimmed))) {
    return bad(header, 'The body has a line break at its end that was not in what was signed.')
  }
  return bad(
    header,
    'It is of another secret, or of other bytes: take the raw body, not one that was parsed and written again.',
  )
}

function withoutLastBreak(body: Buffer): Buffer | null {
  if (body.at(-1) !== 0x0a) return null
  return body.subarray(0, body.at(-2) === 0x0d ? -2 : -1)
}

function isUnixTime(text: string): boolean {
  return /^\d{1,12}$/.test(text)
}

function noTime(header: string): string {
  return `The header ${header} is missing or no Unix time.`
}

function lateness(timestamp: string, now: number): string | null {
  const aheadMs = seconds(Number(timestamp)) - now
  if (Math.abs(aheadMs) <= TOLERANCE_MS) return null
  const distance = Math.round(Math.abs(aheadMs) / 1_000)
  const way = aheadMs < 0 ? 'old' : 'ahead of this clock'
  return `It is ${distance} s ${way}; a receiver should refuse more than 300 s.`
}

function hex(secret: string, before: string, body: Buffer): string {
  return createHmac('sha256', secret).update(before).update(body).digest('hex')
}

function same(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function bad(header: string, reason: string): Verdict {
  return { header, ok: false, reason }
}
