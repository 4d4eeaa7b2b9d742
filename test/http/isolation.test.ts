// No organization sees or changes anything of another. One case for every operation: an operation
// without one fails the last test. In each, the owner of Globex tries; afterwards Acme is as it was.

import { describe, expect, test } from 'vitest'
import { ChangeRecords } from '#src/contract/change-records.ts'
import { ListDeliveries, RedeliverAll } from '#src/contract/delivery.ts'
import { GetMe } from '#src/contract/get-me.ts'
import { CreateKey, ListKeys } from '#src/contract/key.ts'
import { ListRecords } from '#src/contract/list-records.ts'
import { AcceptInvitation, ListInvitations, ListMembers } from '#src/contract/member.ts'
import { Search } from '#src/contract/search.ts'
import { ListOrganizations, SignIn } from '#src/contract/session.ts'
import { CreateWebhook, ListWebhooks } from '#src/contract/webhook.ts'
import { ROUTES } from '#src/http/routes/registry.ts'
import { newId } from '#src/lib/id.ts'
import { dataOf, invalidPaths, withoutRequestId } from '#test/support/answers.ts'
import { Client, expectFailure, type Answer } from '#test/support/client.ts'
import { COMMON, queryOf, type Filter } from '#test/support/dataset.ts'
import { invited, PASSWORD } from '#test/support/people.ts'
import { ENGINES } from '#test/support/place.ts'
import { OWNER } from '#test/support/test-app.ts'
import {
  everythingOf,
  twoOrganizations,
  type Organization,
  type World,
} from '#test/support/two-organizations.ts'

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

  async createWebhook({ acme, globex }) {
    const wanted = { url: 'http://127.0.0.1:9/', events: ['alert.fired'] }
    const made = dataOf(await globex.client.post('/api/webhooks', wanted), CreateWebhook)
    const body = { ...wanted, organizationId: acme.organizationId }
    const elsewhere = await globex.client.post('/api/webhooks', body)

    expect(await webhookIdsOf(globex)).toEqual([made.id, globex.webhookId])
    expectFailure(elsewhere, 400, 'INVALID_REQUEST')
    expect(invalidPaths(elsewhere)).toEqual(['organizationId'])
  },

  async listWebhooks({ globex }) {
    expect(await webhookIdsOf(globex)).toEqual([globex.webhookId])
  },

  async getWebhook(world) {
    await expectAsMissing(world, 'GET', '/api/webhooks', webhookOf(world))
  },

  async changeWebhook(world) {
    const body = { url: 'http://127.0.0.1:9/', description: 'theirs', events: ['alert.fired'] }
    await expectAsMissing(world, 'PATCH', '/api/webhooks', { ...webhookOf(world), body })
  },

  async deleteWebhook(world) {
    await expectAsMissing(world, 'DELETE', '/api/webhooks', webhookOf(world))
  },

  async rotateWebhookSecret(world) {
    await expectAsMissing(world, 'POST', '/api/webhooks', { ...webhookOf(world), rest: '/rotate' })
  },

  async enableWebhook(world) {
    await expectAsMissing(world, 'POST', '/api/webhooks', { ...webhookOf(world), rest: '/enable' })
  },

  async disableWebhook(world) {
    await expectAsMissing(world, 'POST', '/api/webhooks', { ...webhookOf(world), rest: '/disable' })
  },

  async testWebhook(world) {
    await expectAsMissing(world, 'POST', '/api/webhooks', { ...webhookOf(world), rest: '/test' })

    expect(world.there.got).toEqual([])
  },

  async redeliverAll(world) {
    const { globex } = world
    const request = { rest: '/redeliver', body: { since: '2026-01-01T00:00:00Z' } }
    await expectAsMissing(world, 'POST', '/api/webhooks', { ...webhookOf(world), ...request })

    // What Globex redelivers is its own.
    const path = `/api/webhooks/${globex.webhookId}/redeliver`
    expect(dataOf(await globex.client.post(path, request.body), RedeliverAll).total).toBe(1)
  },

  async getRedelivery(world) {
    const redelivery = { prefix: 'rdl', id: world.acme.redeliveryId }
    await expectAsMissing(world, 'GET', '/api/redeliveries', redelivery)
  },

  async getWebhookHealth(world) {
    await expectAsMissing(world, 'GET', '/api/webhooks', { ...webhookOf(world), rest: '/health' })
  },

  async listDeliveries({ acme, globex }) {
    const list = async (filter: Filter) => {
      const answer = await globex.client.get(`/api/deliveries?${queryOf(filter)}`)
      return dataOf(answer, ListDeliveries).items.map(({ id }) => id)
    }

    for (const filter of [{}, { state: 'failed' }, { status: 503 }, { event: 'alert.fired' }]) {
      expect(await list(filter)).toEqual([globex.deliveryId])
    }
    expect(await list({ webhook: acme.webhookId })).toEqual([])
  },

  async getDelivery(world) {
    await expectAsMissing(world, 'GET', '/api/deliveries', deliveryOf(world))
  },

  async redeliver(world) {
    const delivery = { ...deliveryOf(world), rest: '/redeliver' }
    await expectAsMissing(world, 'POST', '/api/deliveries', delivery)
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
  { prefix, id, rest = '', body }: { prefix: string; id: string; rest?: string; body?: unknown },
): Promise<void> {
  const options = body === undefined ? {} : { body }
  const foreign = await globex.client.send(method, `${path}/${id}${rest}`, options)
  const never = newId(prefix, Date.now())
  const missing = await globex.client.send(method, `${path}/${never}${rest}`, options)

  expectFailure(foreign, 404, 'NOT_FOUND')
  expect(withoutRequestId(foreign)).toEqual(withoutRequestId(missing))
}

function webhookOf({ acme }: World) {
  return { prefix: 'whk', id: acme.webhookId }
}

function deliveryOf({ acme }: World) {
  return { prefix: 'dlv', id: acme.deliveryId }
}

async function webhookIdsOf({ client }: Organization): Promise<string[]> {
  return dataOf(await client.get('/api/webhooks'), ListWebhooks).items.map(({ id }) => id)
}
