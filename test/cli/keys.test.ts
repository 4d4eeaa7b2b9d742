import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { foundOrganization } from '#src/accounts/found.ts'
import { hashOfKey, isWellFormedKey } from '#src/accounts/key-format.ts'
import { Key } from '#src/contract/key.ts'
import { Client } from '#test/support/client.ts'
import { expectRefusal } from '#test/support/expect-refusal.ts'
import { foundedPlace, storedIn, type FoundedPlace } from '#test/support/founded-place.ts'
import { ENGINES } from '#test/support/place.ts'
import { earshot, earshotJson, startService } from '#test/support/program.ts'

/** A revoked key has a second to stop; the rest is for a busy machine. */
const WITHIN = { timeout: 2_000, interval: 20 }

describe.concurrent.each(ENGINES)('earshot keys on %s', (engine) => {
  test('create prints id and key, and stores a hash of it only', async () => {
    await using place = await foundedPlace(engine)

    const report = await create(place, '--org', place.organizationId, '--name', 'first')

    expect(report).toEqual({ id: expect.stringMatching(/^key_\w{26}$/), key: expect.any(String) })
    expect(isWellFormedKey(report.key)).toBe(true)
    const stored = await storedIn(place, async (db) => ({
      keys: await db.selectFrom('api_key').selectAll().execute(),
      locators: await db.selectFrom('api_key_locator').selectAll().execute(),
    }))
    expect(stored.keys).toMatchObject([{ id: report.id, person_id: place.userId, name: 'first' }])
    expect(stored.locators).toMatchObject([{ key_id: report.id, key_hash: hashOfKey(report.key) }])
    expect(JSON.stringify(stored)).not.toContain(report.key)
  })

  test('list shows what create was given, newest first, and never the key itself', async () => {
    await using place = await foundedPlace(engine)
    const plain = await create(place, '--name', 'plain')
    const limits = ['--scopes', 'search:read, records:read', '--expires', '2030-01-01']
    const limited = await create(place, '--name', 'limited', ...limits)

    const { items } = await list(place)

    expect(items).toMatchObject([
      {
        id: limited.id,
        name: 'limited',
        userId: place.userId,
        scopes: ['search:read', 'records:read'],
        expiresAt: '2030-01-01T23:59:59.999Z',
      },
      { id: plain.id, name: 'plain', scopes: ['*'], expiresAt: null, lastUsedAt: null },
    ])
    for (const item of items) expect(Key.parse(item)).toEqual(item)
    expect(JSON.stringify(items)).not.toContain(plain.key)
  })

  test('revoke takes a key back, once', async () => {
    await using place = await foundedPlace(engine)
    const { id } = await create(place, '--name', 'first')

    const report = await earshotJson(place, ['keys', 'revoke', id])

    expect(report).toEqual({ id, revoked: true })
    expect(await list(place)).toEqual({ items: [] })
    expectRefusal(await earshot(place, ['keys', 'revoke', id, '--json']), /no such key/i)
  })

  test('with several organizations, --org says which', async () => {
    await using place = await foundedPlace(engine)
    const founding = { ownerId: place.userId, organizationName: 'Globex' }
    const other = await storedIn(place, (db) =>
      db.transaction().execute((trx) => foundOrganization(trx, founding, Date.now())),
    )
    const { id } = await create(place, '--org', other, '--name', 'theirs')
    const revokeOurs = ['keys', 'revoke', id, '--org', place.organizationId, '--json']

    const unnamed = await earshot(place, ['keys', 'create', '--name', 'whose?', '--json'])
    const misnamed = await earshot(place, revokeOurs)

    expectRefusal(unnamed, /--org/)
    expectRefusal(misnamed, `There is no key ${id} in ${place.organizationId}.`)
    expect(
      await storedIn(place, (db) => db.selectFrom('api_key').selectAll().execute()),
    ).toMatchObject([{ id, organization_id: other, revoked_at: null }])
  })

  test('while the service runs, a key works once created and stops when revoked', async () => {
    await using place = await foundedPlace(engine)
    await using service = await startService(place)
    const client = new Client(service.url)

    const { id, key } = await create(place, '--name', 'live')
    const created = await client.get('/v1/me', { key })
    await earshotJson(place, ['keys', 'revoke', id])

    expect(created.status).toBe(200)
    expect(created.body.data).toMatchObject({ organizationId: place.organizationId })
    await vi.waitFor(async () => {
      expect((await client.get('/v1/me', { key })).status).toBe(401)
    }, WITHIN)
  })
})

describe.concurrent('earshot keys refuses', () => {
  const NAMED = ['create', '--name', 'a key']
  let place: FoundedPlace // one for all: none of them changes anything

  beforeAll(async () => {
    place = await foundedPlace('sqlite')
  })
  afterAll(() => place[Symbol.asyncDispose]())

  test.each([
    { what: 'a blank name', args: ['create', '--name', ' '], reason: /^earshot: --name / },
    { what: 'a missing name', args: ['create'], reason: /'--name <name>' not specified/ },
    {
      what: 'an unknown scope',
      args: [...NAMED, '--scopes', 'search:read,everything'],
      reason: /^earshot: --scopes .*records:read/,
    },
    { what: 'an empty scope', args: [...NAMED, '--scopes', ''], reason: /^earshot: --scopes / },
    {
      what: 'an expiry in the past',
      args: [...NAMED, '--expires', '2020-01-01'],
      reason: /^earshot: --expires .*past/,
    },
    {
      what: 'an expiry that is no date',
      args: [...NAMED, '--expires', 'tomorrow'],
      reason: /^earshot: --expires .*2030-12-31/,
    },
    {
      what: 'a day that does not exist',
      args: [...NAMED, '--expires', '2030-02-30'],
      reason: /^earshot: --expires /,
    },
    {
      what: 'an unknown organization',
      args: [...NAMED, '--org', 'org_nowhere'],
      reason: /no organization org_nowhere/,
    },
    {
      what: 'a user who is no member',
      args: [...NAMED, '--user', 'nobody@example.com'],
      reason: /no such member: nobody@example\.com/,
    },
    { what: 'an unknown key', args: ['revoke', 'key_nowhere'], reason: /no key key_nowhere/ },
    { what: 'a missing id', args: ['revoke'], reason: /missing required argument 'id'/ },
  ])('$what', async ({ args, reason }) => {
    const outcome = await earshot(place, ['keys', ...args, '--json'])

    expectRefusal(outcome, reason)
  })
})

function create(place: FoundedPlace, ...options: string[]): Promise<{ id: string; key: string }> {
  return earshotJson(place, ['keys', 'create', ...options])
}

function list(place: FoundedPlace, ...options: string[]): Promise<{ items: Key[] }> {
  return earshotJson(place, ['keys', 'list', ...options])
}
