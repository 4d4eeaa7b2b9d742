import { describe, expect, test } from 'vitest'
import { seconds } from '../lib/duration.ts'
import { checkSignatures } from './check-signatures.ts'
import { signatureHeaders, signingKeys } from './signing.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const OTHER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const TIMESTAMP = 1_700_000_000
const NOW = seconds(TIMESTAMP)
const BODY = Buffer.from('{"title":"Grüße 日本 🦊"}')

type Headers = Record<string, string>
const A = 'crawl.run.completed'
const B = 'curation.batch.ready'

function headersOf(kind: typeof A | typeof B, body = BODY, previousSecret: string | null = null) {
  const timestamp = TIMESTAMP
  return signatureHeaders({
    kind,
    eventId: 'evt_1',
    body,
    keys: signingKeys(SECRET),
    previousKeys: previousSecret === null ? null : signingKeys(previousSecret),
    timestamp,
  })
}

function check(headers: Headers, { body = BODY, secret = SECRET, now = NOW } = {}) {
  return checkSignatures({ headers, body }, { secret, now })
}

function without(headers: Headers, name: string): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name))
}

const OTHER_BYTES =
  'It is of another secret, or of other bytes: take the raw body, not one that was parsed and written again.'
const LINE_BREAK = 'The body has a line break at its end that was not in what was signed.'

describe.each([
  { kind: A, headers: ['Service-Signature', 'webhook-signature'] },
  { kind: B, headers: ['X-Service-Signature', 'webhook-signature'] },
] as const)('a request of $kind', ({ kind, headers }) => {
  const [format, standard] = headers
  const both = (ok: boolean, reason: string) =>
    [format, standard].map((header) => ({ header, ok, reason }))

  test('has a verdict for each of its signatures', () => {
    expect(check(headersOf(kind))).toEqual(both(true, 'It verifies.'))
  })

  test('does not verify with another secret', () => {
    expect(check(headersOf(kind), { secret: OTHER })).toEqual(both(false, OTHER_BYTES))
  })

  test('does not verify with one changed byte', () => {
    const body = Buffer.from(BODY)
    body.writeUInt8(body.readUInt8(4) ^ 1, 4)

    expect(check(headersOf(kind), { body })).toEqual(both(false, OTHER_BYTES))
  })

  test('does not verify when it was parsed and written again', () => {
    const signed = Buffer.from('{ "a": 1 }')

    expect(check(headersOf(kind, signed), { body: Buffer.from('{"a":1}') })).toEqual(
      both(false, OTHER_BYTES),
    )
  })

  test.each(['\n', '\r\n'])('that was saved with a line break %j says so', (lineBreak) => {
    const body = Buffer.concat([BODY, Buffer.from(lineBreak)])

    expect(check(headersOf(kind), { body })).toEqual(both(false, LINE_BREAK))
  })

  test('whose line break was signed verifies with it', () => {
    const body = Buffer.concat([BODY, Buffer.from('\n')])

    expect(check(headersOf(kind, body), { body })).toEqual(both(true, 'It verifies.'))
  })

  test('of a rotation verifies with the old secret in the header of Standard Webhooks only', () => {
    expect(check(headersOf(kind, BODY, OTHER), { secret: OTHER })).toEqual([
      { header: format, ok: false, reason: OTHER_BYTES },
      { header: standard, ok: true, reason: 'It verifies.' },
    ])
  })
})

describe('the time', () => {
  test.each([
    { aheadS: -300, reason: 'It verifies.' },
    { aheadS: 300, reason: 'It verifies.' },
    { aheadS: -301, reason: 'It is 301 s old; a receiver should refuse more than 300 s.' },
    {
      aheadS: 301,
      reason: 'It is 301 s ahead of this clock; a receiver should refuse more than 300 s.',
    },
  ])('of a request that is $aheadS s ahead: $reason', ({ aheadS, reason }) => {
    const verdicts = check(headersOf(A), { now: NOW - seconds(aheadS) })

    expect(verdicts.map((verdict) => verdict.reason)).toEqual([reason, reason])
    expect(verdicts.map(({ ok }) => ok)).toEqual(Array(2).fill(Math.abs(aheadS) <= 300))
  })

  test('is not in format B, which verifies at any', () => {
    const verdicts = check(headersOf(B), { now: NOW + seconds(10_000) })

    expect(verdicts).toMatchObject([
      { header: 'X-Service-Signature', ok: true },
      { header: 'webhook-signature', ok: false },
    ])
  })

  test.each(['Service-Timestamp', 'webhook-timestamp'])('without %s is what is wrong', (name) => {
    const headers = without(headersOf(A), name.toLowerCase())

    const wrong = check(headers).filter(({ ok }) => !ok)

    expect(wrong).toMatchObject([{ reason: `The header ${name} is missing or no Unix time.` }])
  })

  test.each(['yesterday', '2023-11-14T22:13:20Z', '-1', ''])(
    'given as "%s" is what is wrong',
    (value) => {
      const verdicts = check({ ...headersOf(A), 'service-timestamp': value })

      expect(verdicts[0]).toEqual({
        header: 'Service-Signature',
        ok: false,
        reason: 'The header Service-Timestamp is missing or no Unix time.',
      })
    },
  )
})

describe('what is missing or of another form', () => {
  test('a request without signatures has no verdict', () => {
    expect(check({ 'content-type': 'application/json' })).toEqual([])
  })

  test('format A without v1= does not verify', () => {
    const signature = headersOf(A)['service-signature']?.replace('v1=', '') ?? ''

    expect(check({ ...headersOf(A), 'service-signature': signature })[0]).toEqual({
      header: 'Service-Signature',
      ok: false,
      reason: 'It does not begin with v1=.',
    })
  })

  test('the header of Standard Webhooks without webhook-id does not verify', () => {
    const verdicts = check(without(headersOf(B), 'webhook-id'))

    const reason = 'The header webhook-id is missing.'
    expect(verdicts[1]).toEqual({ header: 'webhook-signature', ok: false, reason })
  })

  test.each(['', 'v2,', 'v1a,'])(
    'a signature that begins with "%s" instead of "v1," is none that a library would take',
    (prefix) => {
      const signature = headersOf(B)['webhook-signature']?.replace('v1,', prefix) ?? ''

      expect(check({ ...headersOf(B), 'webhook-signature': signature })[1]?.ok).toBe(false)
    },
  )

  test('one good signature among others is enough', () => {
    const signature = `v2,xyz v1,${'A'.repeat(43)}= ${headersOf(B)['webhook-signature']}`

    expect(check({ ...headersOf(B), 'webhook-signature': signature })[1]?.ok).toBe(true)
  })

  test.each(['service-signature', 'webhook-signature'])('an empty %s does not verify', (name) => {
    const wrong = check({ ...headersOf(A), [name]: '' }).filter(({ ok }) => !ok)

    expect(wrong.map(({ header }) => header.toLowerCase())).toEqual([name])
  })
})
