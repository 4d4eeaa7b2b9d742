import { expect, test } from 'vitest'
import { signatureHeaders, signingKeys } from './signing.ts'

// The expected signatures come from `openssl dgst -sha256 -hmac`, and one from the specification of
// Standard Webhooks.
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const PREVIOUS = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const STANDARD = 'v1,fHPrwWtWqx3pIe7JUDHI0LMJgYpQHM+1gRvDrBT4fZI='
const STANDARD_OF_PREVIOUS = 'v1,Cj62wrkLcqW/Jra/YCPW7YgyNpe/aU68nJx9nTbn49E='

const SIGNED = {
  eventId: 'evt_1',
  body: Buffer.from('{"title":"Grüße 日本 🦊"}'),
  keys: signingKeys(SECRET),
  previousKeys: null,
  timestamp: 1_700_000_000,
}

const STANDARD_HEADERS = {
  'webhook-id': 'evt_1',
  'webhook-timestamp': '1700000000',
  'webhook-signature': STANDARD,
}

test.each(['crawl.run.completed', 'alert.fired'] as const)(
  '%s is signed over time and bytes, in format A and as Standard Webhooks says',
  (kind) => {
    expect(signatureHeaders({ ...SIGNED, kind })).toEqual({
      'service-signature': 'v1=ffb8d5e0777f6f45d175ed06b1755133a917cbfa976965738e26450c290d86a8',
      'service-timestamp': '1700000000',
      'service-event': kind,
      ...STANDARD_HEADERS,
    })
  },
)

test('curation.batch.ready is signed over its bytes alone, in format B, and as Standard Webhooks says', () => {
  expect(signatureHeaders({ ...SIGNED, kind: 'curation.batch.ready' })).toEqual({
    'x-service-signature': '6e653e4d675f7975b1bfc326b7da42bfd19e090f221db528f7574719afe6d022',
    ...STANDARD_HEADERS,
  })
})

test.each(['crawl.run.completed', 'alert.fired', 'curation.batch.ready'] as const)(
  'a secret of before signs %s in the header of Standard Webhooks and in no other',
  (kind) => {
    const alone = signatureHeaders({ ...SIGNED, kind })

    const both = signatureHeaders({ ...SIGNED, kind, previousKeys: signingKeys(PREVIOUS) })

    const signature = `${STANDARD} ${STANDARD_OF_PREVIOUS}`
    expect(both).toEqual({ ...alone, 'webhook-signature': signature })
  },
)

test('the example of the Standard Webhooks specification comes out as it says', () => {
  const headers = signatureHeaders({
    kind: 'alert.fired',
    eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    body: Buffer.from('{"test": 2432232314}'),
    keys: signingKeys(SECRET),
    previousKeys: null,
    timestamp: 1_614_265_330,
  })

  expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})
