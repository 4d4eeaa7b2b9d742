// No organization sees or changes anything of another. One case for every operation: an operation
// without one fails the last test. In each, the owner of Globex tries; afterwards Acme is as it was.

import { describe, expect, test } from 'vitest'
import { ChangeRecords } from '#src/contract/change-records.ts'
import { GetMe } from '#src/contract/get-me.ts'
import { CreateKey, ListKeys } from '#src/contract/key.ts'
import { ListRecords } from '#src/contract/list-records.ts'
import { AcceptInvitation, ListInvitations, ListMembers } from '#src/contract/member.ts'
import { Search } from '#src/contract/search.ts'
import { ListOrganizations, SignIn } from '#src/contract/session.ts'
import type { EngineName } from '#src/db/database.ts'
import { ROUTES } from '#src/http/routes/registry.ts'
import { newId } from '#src/lib/id.ts'
import { dataOf, invalidPaths, withoutRequestId } from '#test/support/answers.ts'
import { Client, expectFailure, type Answer } from '#test/support/client.ts'
import { COMMON, Dataset, queryOf, type Filter } from '#test/support/dataset.ts'
import { aMember, aStranger, invited, PASSWORD, signedIn } from '#test/support/people.ts'
import { ENGINES } from '#test/support/place.ts'
import { OWNER, testApp, type TestApp } from '#test/support/test-app.ts'
import { recordsIn } from '#test/support/watching.ts'

const CASES: Record<string, (world: World) => Promise<void>> = {
  async getMe({ app, acme, globex }) {
    const byKey = dataOf(await new Client(app.url).get('/v1/me', globex.key), GetMe)
    const bySession = dataOf(await globex.client.get('/api/v1/me'), GetMe)

    for (const identity of [byKey, bySession]) {
      expect(identity.organizationId).toBe(globex.organizationId)
      expect(identity.userId).toBe(globex.userId)
      expect(acme.ids).not.toContain(identity.userId)
    }
  },

  async listRecords({ app, acme, globex }) {
    const byKey = (filter: Filter) =>
      new Client(app.url).get(`/v1/records?${queryOf(filter)}`, globex.key)
    const bySession = (filter: Filter) => globex.client.get(`/api/v1/records?${queryOf(filter)}`)
    const { nextCursor } = dataOf(await acme.client.get('/api/v1/records?limit=1'), ListRecords)

    for (const list of [byKey, bySession]) {
      for (const filter of [{}, { view: 'matched' }, { keyword: COMMON }]) {
        expect(idsIn(await list(filter), ListRecords)).toEqual(recordsOf(globex))
      }
      for (const filter of [{ subforums: 'acme_only' }, { watcher_id: acme.watcherId }]) {
        expect(idsIn(await list(filter), ListRecords)).toEqual([])
      }
      expectFailure(await list({ limit: 1, cursor: nextCursor }), 400, 'INVALID_CURSOR')
    }
  },

  async search({ app, acme, globex }) {
    const byKey = (body: Filter) =>
      new Client(app.url).post('/v1/search', { q: COMMON, ...body }, globex.key)
    const bySession = (body: Filter) => globex.client.post('/api/v1/search', { q: COMMON, ...body })
    const theirs = await acme.client.post('/api/v1/search', { q: COMMON, limit: 1 })
    const { nextCursor } = dataOf(theirs, Search)

    for (const search of [byKey, bySession]) {
      for (const filter of [{}, { tags: ['shared'] }]) {
        expect(idsIn(await search(filter), Search)).toEqual(recordsOf(globex))
      }
      for (const filter of [{ q: 'acme' }, { watcher_id: acme.watcherId }]) {
        expect(idsIn(await search(filter), Search)).toEqual([])
      }
      const { channels } = dataOf(await search({}), Search)
      expect(channels).toEqual(['globex_only', 'selfhosted'])
      expectFailure(await search({ limit: 1, cursor: nextCursor }), 400, 'INVALID_CURSOR')
    }
  },

  async signIn({ app, globex }) {
    const client = new Client(app.url)
    const own = await client.post('/api/session', { email: globex.email, password: PASSWORD })
    const foreign = await client.post('/api/session', { ...OWNER, password: PASSWORD })

    expect(dataOf(own, SignIn).organizationId).toBe(globex.organizationId)
    expectFailure(foreign, 401, 'UNAUTHORIZED')
  },

  async signOut({ acme, globex }) {
    expect((await globex.client.send('DELETE', '/api/session')).status).toBe(200)

    expect((await acme.client.get('/api/v1/me')).status).toBe(200)
  },

  async changePassword({ acme, globex }) {
    const change = { current: PASSWORD, next: 'a new password' }
    expect((await globex.client.post('/api/password', change)).status).toBe(200)

    expect((await acme.client.get('/api/v1/me')).status).toBe(200)
  },

  async listOrganizations({ globex }) {
    const { items } = dataOf(await globex.client.get('/api/organizations'), ListOrganizations)

    expect(items).toEqual([{ id: globex.organizationId, name: 'Globex', role: 'owner' }])
  },

  async switchOrganization({ acme, globex }) {
    const switchTo = (organizationId: string) =>
      globex.client.send('PUT', '/api/session/organization', { body: { organizationId } })

    const foreign = await switchTo(acme.organizationId)
    const missing = await switchTo(newId('org', Date.now()))

    expectFailure(foreign, 404, 'NOT_FOUND')
    expect(withoutRequestId(foreign)).toEqual(withoutRequestId(missing))
    const { organizationId } = dataOf(await globex.client.get('/api/v1/me'), GetMe)
    expect(organizationId).toBe(globex.organizationId)
  },

  async changeRecords({ acme, globex }) {
    const change = (...ids: string[]) =>
      globex.client.send('PATCH', '/api/records', {
        body: { ids, read: true, archived: true, addTags: ['theirs'], removeTags: ['shared'] },
      })

    const foreign = await change(acme.recordId, globex.recordId)
    const missing = await change(newId('rec', Date.now()), globex.recordId)
    const own = await change(globex.recordId)

    expectFailure(foreign, 404, 'NOT_FOUND')
    expect(withoutRequestId(foreign)).toEqual(withoutRequestId(missing))
    expect(dataOf(own, ChangeRecords)).toEqual({ changed: 1 })
  },

  async listKeys({ globex }) {
    const { items } = dataOf(await globex.client.get('/api/keys'), ListKeys)

    expect(items.map(({ id }) => id)).toEqual([globex.key.id])
  },

  async createKey({ app, acme, globex }) {
    const made = dataOf(await globex.client.post('/api/keys', { name: 'ci' }), CreateKey)
    const elsewhere = await globex.client.post('/api/keys', {
      name: 'ci',
      organizationId: acme.organizationId,
      userId: acme.userId,
    })

    const identity = dataOf(await new Client(app.url).get('/v1/me', made), GetMe)
    expect(identity.organizationId).toBe(globex.organizationId)
    expectFailure(elsewhere, 400, 'INVALID_REQUEST')
    expect(invalidPaths(elsewhere)).toEqual(['organizationId', 'userId'])
  },

  async revokeKey(world) {
    await expectAsMissing(world, 'DELETE', '/api/keys', { prefix: 'key', id: world.acme.key.id })
  },

  async listMembers({ globex }) {
    const { items } = dataOf(await globex.client.get('/api/members'), ListMembers)

    expect(items.map(({ userId }) => userId)).toEqual([globex.userId, globex.memberId])
  },

  async changeRole(world) {
    for (const id of [world.acme.memberId, world.acme.userId]) {
      const member = { prefix: 'usr', id, body: { role: 'viewer' } }
      await expectAsMissing(world, 'PATCH', '/api/members', member)
    }
  },

  async removeMember(world) {
    for (const id of [world.acme.memberId, world.acme.userId]) {
      await expectAsMissing(world, 'DELETE', '/api/members', { prefix: 'usr', id })
    }
  },

  async listInvitations({ globex }) {
    const { items } = dataOf(await globex.client.get('/api/invitations'), ListInvitations)

    expect(items.map(({ id }) => id)).toEqual([globex.invitation.id])
  },

  async invite({ app, acme, globex }) {
    // Neither who belongs to Acme nor whom it invites makes a difference here.
    const { token } = await invited(globex.client, OWNER.email, 'viewer')
    await invited(globex.client, acme.invitation.email, 'owner')
    const body = { email: 'x@example.com', role: 'viewer', organizationId: acme.organizationId }
    const elsewhere = await globex.client.post('/api/invitations', body)

    expect(token.startsWith(`${globex.organizationId}.`)).toBe(true)
    expectFailure(elsewhere, 400, 'INVALID_REQUEST')
    const accepted = await new Client(app.url).post('/api/invitations/accept', {
      token,
      password: PASSWORD,
    })
    expectFailure(accepted, 401, 'UNAUTHORIZED') // it is the account's password that counts
  },

  async revokeInvitation(world) {
    const { id } = world.acme.invitation
    await expectAsMissing(world, 'DELETE', '/api/invitations', { prefix: 'inv', id })
  },

  async acceptInvitation({ app, acme, globex }) {
    const secret = globex.invitation.token.split('.')[1] ?? ''
    const accept = (token: string) =>
      new Client(app.url).post('/api/invitations/accept', { token, password: PASSWORD })

    expectFailure(await accept(`${acme.organizationId}.${secret}`), 401, 'UNAUTHORIZED')
    const { organizationId } = dataOf(await accept(globex.invitation.token), AcceptInvitation)
    expect(organizationId).toBe(globex.organizationId)
  },
}

describe.each(ENGINES)('isolation on %s', (engine) => {
  test.each(Object.entries(CASES))('%s stays inside the organization', async (_, attempt) => {
    await using world = await twoOrganizations(engine)
    const before = await everythingOf(world.app, world.acme.organizationId)

    await attempt(world)

    expect(await everythingOf(world.app, world.acme.organizationId)).toEqual(before)
  })
})

test('every operation has a case here', () => {
  const operations = ROUTES.map(({ operation }) => operation.id)

  expect(Object.keys(CASES).sort()).toEqual(operations.sort())
})

interface Organization {
  organizationId: string
  /** The owner, signed in. */
  client: Client
  userId: string
  email: string
  memberId: string
  key: { id: string; key: string }
  invitation: { id: string; token: string; email: string }
  /** The same post in both, matched by a watcher of each. */
  recordId: string
  watcherId: string
  ids: string[]
}

interface World extends AsyncDisposable {
  app: TestApp
  acme: Organization
  globex: Organization
}

async function twoOrganizations(engine: EngineName): Promise<World> {
  const app = await testApp(engine)
  const { client, userId, organizationId, email } = await aStranger(app)
  return {
    app,
    acme: await furnished(app, 'acme', {
      ...app.owner,
      email: OWNER.email,
      client: await signedIn(app),
    }),
    globex: await furnished(app, 'globex', { client, userId, organizationId, email }),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

/** An organization with one of everything. */
async function furnished(
  app: TestApp,
  name: string,
  owner: Pick<Organization, 'client' | 'userId' | 'organizationId' | 'email'>,
): Promise<Organization> {
  const { client, userId, organizationId } = owner
  const member = await aMember(app, 'member', { email: `member@${name}.example`, by: client })
  const key = await app.createKey({ organizationId, personId: userId })
  const email = `guest@${name}.example`
  const invitation = { email, ...(await invited(client, email)) }
  const { watcherId, recordIds } = await matchedRecords(app, name, { organizationId, key: key.key })
  const [recordId = ''] = recordIds
  const things = [organizationId, userId, member.userId, key.id, invitation.id, watcherId]
  const ids = [...things, ...recordIds]
  return { ...owner, memberId: member.userId, key, invitation, recordId, watcherId, ids }
}

/** The newest is of a post that both have, the other one of a channel that only one has. */
async function matchedRecords(
  app: TestApp,
  name: string,
  { organizationId, key }: { organizationId: string; key: string },
): Promise<{ watcherId: string; recordIds: string[] }> {
  const dataset = new Dataset(app, organizationId, key)
  const channels = ['selfhosted', `${name}_only`].map((subforum) => ({
    platform: 'forum' as const,
    subforum,
  }))
  const watcherId = await dataset.watch({ channels, rules: [{ any: ['post'], tags: ['shared'] }] })
  await dataset.keep([
    { title: 'a post' },
    { title: `a post of ${name}`, forumId: name, subforum: `${name}_only` },
  ])
  const records = await recordsIn(app.app.db, organizationId)
  return { watcherId, recordIds: records.map(({ id }) => id) }
}

/** Newest first. */
function recordsOf({ ids }: Organization): string[] {
  return ids.filter((id) => id.startsWith('rec_'))
}

function idsIn(answer: Answer, operation: typeof ListRecords | typeof Search): string[] {
  return dataOf(answer, operation).items.map(({ id }) => id)
}

/** A foreign thing gets the very answer that a thing gets which never was. */
async function expectAsMissing(
  { globex }: World,
  method: string,
  path: string,
  { prefix, id, body }: { prefix: string; id: string; body?: unknown },
): Promise<void> {
  const options = body === undefined ? {} : { body }
  const foreign = await globex.client.send(method, `${path}/${id}`, options)
  const missing = await globex.client.send(method, `${path}/${newId(prefix, Date.now())}`, options)

  expectFailure(foreign, 404, 'NOT_FOUND')
  expect(withoutRequestId(foreign)).toEqual(withoutRequestId(missing))
}

/** Every row that belongs to an organization or to one of its people. */
async function everythingOf({ app: { db } }: TestApp, organizationId: string): Promise<unknown> {
  const tables = await db.introspection.getTables()
  const owned = tables.filter(({ columns }) =>
    columns.some(({ name }) => name === 'organization_id'),
  )
  const rows = await Promise.all(
    owned.map(async ({ name }) => [
      name,
      await db
        .selectFrom(name as 'membership')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .execute(),
    ]),
  )
  const people = await db
    .selectFrom('person')
    .innerJoin('membership', 'membership.person_id', 'person.id')
    .selectAll('person')
    .where('organization_id', '=', organizationId)
    .execute()
  return Object.fromEntries([...rows, ['person', people]])
}
