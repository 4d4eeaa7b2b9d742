import { describe, expect, test } from 'vitest'
import { newKey } from '#src/accounts/key-format.ts'
import { GetMe } from '#src/contract/get-me.ts'
import { minutes, seconds } from '#src/lib/duration.ts'
import { isoTime } from '#src/lib/iso-time.ts'
import { dataOf, withoutRequestId } from '#test/support/answers.ts'
import { Client, expectFailure, type Answer } from '#test/support/client.ts'
import { aMember, signedIn } from '#test/support/people.ts'
import { ENGINES } from '#test/support/place.ts'
import { testApp, type TestApp } from '#test/support/test-app.ts'

/** How long a process may go on trusting what it knows of a key. */
const NOTICED_AFTER_MS = seconds(1)

describe.each(ENGINES)('bad keys on %s', (engine) => {
  test('every bad key gets one and the same answer', async () => {
    await using app = await testApp(engine)

    const answers = await answersToBadKeys(app)

    for (const [what, answer] of Object.entries(answers)) {
      expectFailure(answer, 401, 'UNAUTHORIZED')
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      expect({ what, ...withoutRequestId(answer) }).toEqual({
        what,
        ...withoutRequestId(answers['missing'] as Answer),
      })
    }
  })

  test('a revoked key stops within a second', async () => {
    await using app = await testApp(engine)
    const { id, key } = await app.createKey()
    const owner = await signedIn(app)
    expect((await me(app, key)).status).toBe(200)

    await owner.send('DELETE', `/api/keys/${id}`)
    app.advance(NOTICED_AFTER_MS)

    expectFailure(await me(app, key), 401, 'UNAUTHORIZED')
  })

  test('a key works until the very moment it expires', async () => {
    await using app = await testApp(engine)
    const expiresAt = app.app.clock() + minutes(10)
    const { key } = await app.createKey({ expiresAt: isoTime(expiresAt) })

    app.advance(minutes(9))
    const before = await me(app, key)
    app.advance(minutes(1))
    const after = await me(app, key)

    expect(before.status).toBe(200)
    expectFailure(after, 401, 'UNAUTHORIZED')
  })

  test('the keys of a removed member stop, in this organization only', async () => {
    await using app = await testApp(engine)
    const owner = await signedIn(app)
    const { userId } = await aMember(app, 'admin')
    const [theirs, owners] = [await app.createKey({ personId: userId }), await app.createKey()]
    expect((await me(app, theirs.key)).status).toBe(200)

    await owner.send('DELETE', `/api/members/${userId}`)
    app.advance(NOTICED_AFTER_MS)

    expectFailure(await me(app, theirs.key), 401, 'UNAUTHORIZED')
    expect((await me(app, owners.key)).status).toBe(200)
  })

  test('the key of a member whose role changed goes on with the new role', async () => {
    await using app = await testApp(engine)
    const owner = await signedIn(app)
    const { userId } = await aMember(app, 'admin')
    const { key } = await app.createKey({ personId: userId })
    const before = dataOf(await me(app, key), GetMe)

    await owner.send('PATCH', `/api/members/${userId}`, { body: { role: 'viewer' } })
    app.advance(NOTICED_AFTER_MS)
    const after = dataOf(await me(app, key), GetMe)

    expect([before.role, after.role]).toEqual(['admin', 'viewer'])
    expect(after).toEqual({ ...before, role: 'viewer' })
  })

  test('the scheme may be written in any case, as HTTP has it', async () => {
    await using app = await testApp(engine)
    const { key } = await app.createKey()

    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      expect((await authorized(app, `${scheme} ${key}`)).status).toBe(200)
    }
  })

  test('a key is not taken from anywhere but the header', async () => {
    await using app = await testApp(engine)
    const { key } = await app.createKey()
    const client = new Client(app.url)

    const answers = [
      await client.get(`/v1/me?key=${key}`),
      await client.get(`/v1/me?access_token=${key}`),
      await client.get('/v1/me', { headers: { 'x-api-key': key } }),
      await client.get('/v1/me', { headers: { cookie: `earshot_session=${key}` } }),
    ]

    for (const answer of answers) expectFailure(answer, 401, 'UNAUTHORIZED')
  })
})

/** One answer for each way in which a key can be bad. */
async function answersToBadKeys(app: TestApp): Promise<Record<string, Answer>> {
  const owner = await signedIn(app)
  const { userId } = await aMember(app, 'member')
  const [good, revoked] = [await app.createKey(), await app.createKey()]
  const removed = await app.createKey({ personId: userId })
  const expired = await app.createKey({ expiresAt: isoTime(app.app.clock() + minutes(1)) })
  for (const { key } of [good, revoked, removed, expired]) {
    expect((await me(app, key)).status).toBe(200)
  }
  await owner.send('DELETE', `/api/keys/${revoked.id}`)
  await owner.send('DELETE', `/api/members/${userId}`)
  app.advance(minutes(1))

  return {
    missing: await new Client(app.url).get('/v1/me'),
    'wrong scheme': await authorized(app, `Basic ${btoa(`${good.key}:`)}`),
    'no scheme': await authorized(app, good.key),
    'empty bearer': await authorized(app, 'Bearer'),
    'blank bearer': await authorized(app, 'Bearer  '),
    'two keys': await authorized(app, `Bearer ${good.key} ${good.key}`),
    'not a key': await me(app, 'hello'),
    'bad checksum': await me(app, withOtherEnd(good.key)),
    'one character more': await me(app, `${good.key}0`),
    unknown: await me(app, newKey()),
    revoked: await me(app, revoked.key),
    expired: await me(app, expired.key),
    'of a removed member': await me(app, removed.key),
  }
}

function me(app: TestApp, key: string): Promise<Answer> {
  return new Client(app.url).get('/v1/me', { key })
}

function authorized(app: TestApp, authorization: string): Promise<Answer> {
  return new Client(app.url).get('/v1/me', { headers: { authorization } })
}

function withOtherEnd(key: string): string {
  return key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
}
