import { expect, test } from 'vitest'
import { accessLine } from './access-line.ts'

const answered = {
  requestId: 'req_1',
  method: 'GET',
  route: '/api/keys/:id',
  status: 200,
  durationMs: 1.23456,
}
const identity = {
  userId: 'usr_1',
  organizationId: 'org_1',
  role: 'owner' as const,
  planType: 'pro' as const,
  scopes: [],
}

test('a request with a key is one line of JSON that names the key’s id', () => {
  const caller = { identity, proof: { kind: 'key' as const, id: 'key_1' } }

  const line = accessLine({ ...answered, caller }, '2026-01-01T00:00:00.000Z')

  expect(line.endsWith('\n')).toBe(true)
  expect(JSON.parse(line)).toEqual({
    level: 30,
    time: '2026-01-01T00:00:00.000Z',
    part: 'http',
    ...answered,
    durationMs: 1.235,
    organizationId: 'org_1',
    keyId: 'key_1',
    msg: 'request',
  })
})

test('a session is never named, and nobody is nobody', () => {
  const caller = { identity, proof: { kind: 'session' as const, tokenHash: 'hidden' } }

  expect(accessLine({ ...answered, caller }, '')).not.toContain('hidden')
  expect(JSON.parse(accessLine({ ...answered, caller: null }, ''))).not.toHaveProperty('keyId')
})
