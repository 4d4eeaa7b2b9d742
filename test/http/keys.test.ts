import { describe, expect, test } from 'vitest'
import { hashOfKey, isWellFormedKey } from '#src/accounts/key-format.ts'
import { GetMe } from '#src/contract/get-me.ts'
import { CreateKey, ListKeys, RevokeKey } from '#src/contract/key.ts'
import { days, minutes, seconds } from '#src/lib/duration.ts'
import { isoTime } from '#src/lib/iso-time.ts'
import { dataOf, invalidPaths } from '#test/support/answers.ts'
import { Client, expectFailure } from '#test/support/client.ts'
import { aMember, PASSWORD, signedIn } from '#test/support/people.ts'
import { ENGINES } from '#test/support/place.ts'
import { testApp, type TestApp } from '#test/support/test-app.ts'
import { storedText } from '#test/support/traces.ts'

describe.each(ENGINES)('keys on %s', (engine) => {
  describe('creating', () => {
    test('answers with a key that works as its maker, at once', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)

      const { key } = dataOf(
        await owner.post('/api/keys', { name: 'ci', scopes: ['search:read'] }),
        CreateKey,
      )

      expect(isWellFormedKey(key)).toBe(true)
      const identity = dataOf(await new Client(app.url).get('/v1/me', { key }), GetMe)
      expect(identity).toMatchObject({ ...app.owner, role: 'owner', scopes: ['search:read'] })
    })

    test('stores the hash of the key, and the key itself nowhere', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)

      const { key } = dataOf(await owner.post('/api/keys', { name: 'ci' }), CreateKey)
      await new Client(app.url).get('/v1/me', { key })

      const stored = await storedText(app)
      expect(stored).toContain(hashOfKey(key))
      expect(stored).not.toContain(key)
      expect(stored).not.toContain(key.slice('ear_'.length + 4)) // all but what the hint shows
      expect(app.log()).not.toContain(key)
    })

    test('without scopes and expiry it may do everything, for ever', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)

      const { id } = dataOf(await owner.post('/api/keys', { name: 'ci' }), CreateKey)

      const { items } = dataOf(await owner.get('/api/keys'), ListKeys)
      expect(items).toMatchObject([{ id, scopes: ['*'], expiresAt: null, lastUsedAt: null }])
    })

    test('a scope that is given twice counts once', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const scopes = ['records:read', 'search:read', 'records:read']

      await owner.post('/api/keys', { name: 'ci', scopes })

      const { items } = dataOf(await owner.get('/api/keys'), ListKeys)
      expect(items.map((item) => item.scopes)).toEqual([['records:read', 'search:read']])
    })

    test.each([
      { scopes: [], paths: ['scopes'] },
      { scopes: ['*', 'admin'], paths: ['scopes.1'] },
      { scopes: ['Search:Read', 7], paths: ['scopes.0', 'scopes.1'] },
      { scopes: '*', paths: ['scopes'] },
      { scopes: null, paths: ['scopes'] },
    ])('refuses $scopes as scopes', async ({ scopes, paths }) => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)

      const answer = await owner.post('/api/keys', { name: 'ci', scopes })

      expectFailure(answer, 400, 'INVALID_REQUEST')
      expect(invalidPaths(answer)).toEqual(paths)
      expect(await keysOf(owner)).toEqual([])
    })

    test('a name has from 1 to 100 characters, without the blanks around it', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const create = (name: unknown) => owner.post('/api/keys', { name })

      for (const name of ['', '   ', 'x'.repeat(101), 5, null, undefined]) {
        const answer = await create(name)
        expectFailure(answer, 400, 'INVALID_REQUEST')
        expect(invalidPaths(answer)).toEqual(['name'])
      }
      for (const name of [`  ${'x'.repeat(100)} `, 'É %_\\\' "<b>漢字 🎈']) {
        expect((await create(name)).status).toBe(200)
      }
      const names = (await keysOf(owner)).map(({ name }) => name)
      expect(names.sort()).toEqual(['x'.repeat(100), 'É %_\\\' "<b>漢字 🎈'].sort())
    })

    test('an expiry is a time in the future, with its zone', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const past = isoTime(app.app.clock() - seconds(1))

      for (const expiresAt of [past, '2020-01-01T00:00:00Z', '2099-01-01', 'soon', 4e12, '']) {
        const answer = await owner.post('/api/keys', { name: 'ci', expiresAt })
        expectFailure(answer, 400, 'INVALID_REQUEST')
        expect(invalidPaths(answer)).toEqual(['expiresAt'])
      }
      await owner.post('/api/keys', { name: 'ci', expiresAt: '2099-01-01T02:00:00+02:00' })

      const [key] = await keysOf(owner)
      expect(key?.expiresAt).toBe('2099-01-01T00:00:00.000Z')
    })

    test('a key works until its expiry and is listed after it, so that people see why', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const expiresAt = isoTime(app.app.clock() + days(1))
      const { id, key } = dataOf(
        await owner.post('/api/keys', { name: 'ci', expiresAt }),
        CreateKey,
      )
      expect((await new Client(app.url).get('/v1/me', { key })).status).toBe(200)

      app.advance(days(1))

      expectFailure(await new Client(app.url).get('/v1/me', { key }), 401, 'UNAUTHORIZED')
      expect(await keysOf(owner)).toMatchObject([{ id, expiresAt }])
    })
  })

  describe('listing', () => {
    test('shows what the contract says, newest first, and never a key', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const keys: string[] = []
      for (const name of ['first', 'second', 'third']) {
        keys.push(dataOf(await owner.post('/api/keys', { name }), CreateKey).key)
        app.advance(minutes(1))
      }

      const answer = await owner.get('/api/keys')

      const { items } = dataOf(answer, ListKeys)
      expect(items.map(({ name }) => name)).toEqual(['third', 'second', 'first'])
      expect(items.map(({ userId }) => userId)).toEqual(keys.map(() => app.owner.userId))
      expect(items.map(({ hint }) => hint)).toEqual(
        keys.toReversed().map((key) => `${key.slice(0, 8)}…`),
      )
      for (const key of keys) {
        expect(JSON.stringify(answer.body)).not.toContain(key.slice(8))
        expect(JSON.stringify(answer.body)).not.toContain(hashOfKey(key))
      }
    })

    test('shows when a key was last used', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const { key } = await app.createKey()

      await new Client(app.url).get('/v1/me', { key })
      await app.app.keys[Symbol.asyncDispose]() // waits for what is written beside the requests

      const [listed] = await keysOf(owner)
      expect(Date.parse(listed?.lastUsedAt ?? '')).toBeGreaterThanOrEqual(
        Date.parse(listed?.createdAt ?? ''),
      )
    })

    test('is empty where there is no key', async () => {
      await using app = await testApp(engine)

      expect(await keysOf(await signedIn(app))).toEqual([])
    })
  })

  describe('revoking', () => {
    test('takes the key off the list and stops it within a second', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const [gone, kept] = [await app.createKey(), await app.createKey()]
      for (const { key } of [gone, kept]) await new Client(app.url).get('/v1/me', { key })

      dataOf(await owner.send('DELETE', `/api/keys/${gone.id}`), RevokeKey)
      app.advance(seconds(1))

      expect((await keysOf(owner)).map(({ id }) => id)).toEqual([kept.id])
      expectFailure(await new Client(app.url).get('/v1/me', gone), 401, 'UNAUTHORIZED')
      expect((await new Client(app.url).get('/v1/me', kept)).status).toBe(200)
    })

    test('works once: after that there is no such key', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const { id } = await app.createKey()

      const answers = await Promise.all([
        owner.send('DELETE', `/api/keys/${id}`),
        owner.send('DELETE', `/api/keys/${id}`),
      ])

      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
      expectFailure(await owner.send('DELETE', `/api/keys/${id}`), 404, 'NOT_FOUND')
    })
  })

  describe('who may', () => {
    test('members and viewers may not see, make or revoke keys', async () => {
      await using app = await testApp(engine)
      const { id } = await app.createKey()

      for (const role of ['member', 'viewer'] as const) {
        const { client } = await aMember(app, role)

        expectFailure(await client.get('/api/keys'), 403, 'FORBIDDEN')
        expectFailure(await client.post('/api/keys', { name: 'ci' }), 403, 'FORBIDDEN')
        expectFailure(await client.send('DELETE', `/api/keys/${id}`), 403, 'FORBIDDEN')
      }
      expect(await keysOf(await signedIn(app))).toMatchObject([{ id }])
    })

    test('an admin may, and their key acts as an admin', async () => {
      await using app = await testApp(engine)
      const { id } = await app.createKey()
      const { client, userId } = await aMember(app, 'admin')

      const made = dataOf(await client.post('/api/keys', { name: 'ci' }), CreateKey)
      const revoked = await client.send('DELETE', `/api/keys/${id}`)

      expect(revoked.status).toBe(200)
      expect(await keysOf(client)).toMatchObject([{ id: made.id, userId }])
      const identity = dataOf(await new Client(app.url).get('/v1/me', made), GetMe)
      expect(identity).toMatchObject({ userId, role: 'admin' })
    })

    test('a key cannot manage keys', async () => {
      await using app = await testApp(engine)
      const { key } = await app.createKey()

      const answer = await new Client(app.url).get('/api/keys', { key })

      expectFailure(answer, 401, 'UNAUTHORIZED')
    })

    test('a key made while its maker is removed does not come back with them', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const { client, userId, email } = await aMember(app, 'admin')
      const create = () => client.post('/api/keys', { name: 'ci' })
      const removal = async () => void (await owner.send('DELETE', `/api/members/${userId}`))
      const createMany = () => Promise.all(Array.from({ length: 10 }, create))

      const [before, , after] = await Promise.all([createMany(), removal(), createMany()])
      await rejoin(app, owner, email)
      app.advance(seconds(1))

      const made = [...before, ...after].filter(({ status }) => status === 200)
      for (const { body } of made) {
        const key = String(body.data['key'])
        const answer = await new Client(app.url).get('/v1/me', { key })
        expectFailure(answer, 401, 'UNAUTHORIZED')
      }
    })
  })
})

async function keysOf(client: Client) {
  return dataOf(await client.get('/api/keys'), ListKeys).items
}

async function rejoin(app: TestApp, by: Client, email: string): Promise<void> {
  const { body } = await by.post('/api/invitations', { email, role: 'admin' })
  const { token } = body.data
  const accepted = await new Client(app.url).post('/api/invitations/accept', {
    token,
    password: PASSWORD,
  })
  expect(accepted.status).toBe(200)
}
