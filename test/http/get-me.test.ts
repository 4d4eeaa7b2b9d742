import { describe, expect, test } from 'vitest'
import { Identity } from '#src/contract/identity.ts'
import { Client, expectFailure } from '#test/support/client.ts'
import { ENGINES } from '#test/support/place.ts'
import { OWNER, testApp } from '#test/support/test-app.ts'

describe.each(ENGINES)('GET /v1/me on %s', (engine) => {
  describe('200', () => {
    test('returns the identity bound to the key', async () => {
      await using app = await testApp(engine)
      const { key } = await app.createKey({ scopes: ['search:read', 'records:read'] })

      const { status, body, headers } = await new Client(app.url).get('/v1/me', { key })

      expect(status).toBe(200)
      expect(body).toEqual({
        success: true,
        data: {
          ...app.owner,
          role: 'owner',
          planType: 'pro',
          scopes: ['search:read', 'records:read'],
        },
      })
      expect(Identity.parse(body.data)).toBeTruthy()
      expect(headers.get('x-request-id')).toMatch(/^req_/)
    })

    test('takes any valid key, whatever its scopes', async () => {
      await using app = await testApp(engine)
      const { key } = await app.createKey({ scopes: ['search:read'] })

      expect((await new Client(app.url).get('/v1/me', { key })).status).toBe(200)
    })

    test('GET /api/v1/me answers the same with a session, whose scope is *', async () => {
      await using app = await testApp(engine)
      const client = new Client(app.url)
      await client.signIn(OWNER)

      const { status, body } = await client.get('/api/v1/me')

      expect(status).toBe(200)
      expect(body.data).toEqual({ ...app.owner, role: 'owner', planType: 'pro', scopes: ['*'] })
    })
  })

  describe('400', () => {
    test('refuses parameters: there are none', async () => {
      await using app = await testApp(engine)
      const { key } = await app.createKey()

      const answer = await new Client(app.url).get('/v1/me?limit=3&foo=bar', { key })

      expectFailure(answer, 400, 'INVALID_REQUEST')
      expect(answer.body.error?.details?.map(({ path }) => path)).toEqual(['limit', 'foo'])
    })
  })

  describe('401', () => {
    test('a session does not open /v1, and a key does not open /api/v1', async () => {
      await using app = await testApp(engine)
      const client = new Client(app.url)
      await client.signIn(OWNER)
      const { key } = await app.createKey()

      expectFailure(await client.get('/v1/me'), 401, 'UNAUTHORIZED')
      expectFailure(await new Client(app.url).get('/api/v1/me', { key }), 401, 'UNAUTHORIZED')
    })
  })
})
