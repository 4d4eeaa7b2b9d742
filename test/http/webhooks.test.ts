import { describe, expect, test } from 'vitest'
import { ListDeliveries } from '#src/contract/delivery.ts'
import type { EventKind } from '#src/contract/event.ts'
import {
  ChangeWebhook,
  CreateWebhook,
  DeleteWebhook,
  GetWebhook,
  ListWebhooks,
} from '#src/contract/webhook.ts'
import { deliveryById } from '#src/events/delivery-store.ts'
import { ROUTES } from '#src/http/routes/registry.ts'
import { purgeDeliveries } from '#src/jobs/purge-deliveries.ts'
import { minutes } from '#src/lib/duration.ts'
import { isoTime } from '#src/lib/iso-time.ts'
import { newId } from '#src/lib/id.ts'
import { dataOf, invalidPaths, withoutRequestId } from '#test/support/answers.ts'
import { Client, expectFailure } from '#test/support/client.ts'
import { aMember, signedIn } from '#test/support/people.ts'
import { ENGINES } from '#test/support/place.ts'
import { testApp } from '#test/support/test-app.ts'
import { attemptsEnd, aWebhook, deliveriesTo, deliveryIn, told } from '#test/support/webhooks.ts'

const URL = 'https://hooks.example.com/in'
const NEW = { url: URL, events: ['crawl.run.completed'] }

const UNTRIED = {
  enabled: true,
  disabledReason: null,
  disabledAt: null,
  consecutiveFailures: 0,
  lastSuccessAt: null,
  lastFailureAt: null,
}

describe.each(ENGINES)('webhooks on %s', (engine) => {
  describe('creating', () => {
    test('answers with the id and the secret, and nothing else', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)

      const answer = await owner.post('/api/webhooks', NEW)

      expect(answer.body.data).toEqual({
        id: expect.stringMatching(/^whk_[0-9a-hjkmnp-tv-z]{26}$/),
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      })
    })

    test('makes one that is enabled, has no description unless said, and was never sent to', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const before = isoTime(app.app.clock())

      const { id } = await created(owner)

      const answer = await owner.get(`/api/webhooks/${id}`)
      expect(answer.body.data).toEqual({
        id,
        url: URL,
        description: '',
        events: ['crawl.run.completed'],
        ...UNTRIED,
        createdAt: expect.any(String),
      })
      const { createdAt } = dataOf(answer, GetWebhook)
      expect(createdAt >= before && createdAt <= isoTime(app.app.clock())).toBe(true)
    })

    test('a kind of event that is given twice counts once', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const events = ['alert.fired', 'crawl.run.completed', 'alert.fired', 'curation.batch.ready']

      const { id } = await created(owner, { events })
      await told(app.app, app.owner.organizationId, 'alert.fired')

      const webhook = dataOf(await owner.get(`/api/webhooks/${id}`), GetWebhook)
      expect(webhook.events).toEqual(['alert.fired', 'crawl.run.completed', 'curation.batch.ready'])
      const key = { organizationId: app.owner.organizationId, id }
      expect(await deliveriesTo(app.app, key)).toHaveLength(1)
    })

    test('a description has up to 500 characters, without the blanks around it', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)

      await created(owner, { description: ` ${'é'.repeat(500)}  ` })
      await created(owner, { description: 'É %_\\\' "<b>漢字 🎈' })

      const descriptions = (await webhooksOf(owner)).map(({ description }) => description)
      expect(descriptions.toSorted()).toEqual(['É %_\\\' "<b>漢字 🎈', 'é'.repeat(500)].toSorted())
    })

    test('refuses what is missing, wrong or unknown, all at once and by name', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const bodies: [body: unknown, paths: string[]][] = [
        [{}, ['url', 'events']],
        [{ ...NEW, url: 7 }, ['url']],
        [{ ...NEW, url: '   ' }, ['url']],
        [{ ...NEW, url: null }, ['url']],
        [{ ...NEW, description: 'x'.repeat(501) }, ['description']],
        [{ ...NEW, description: null }, ['description']],
        [{ ...NEW, description: 'a\u0000b' }, ['description']],
        [{ ...NEW, events: [] }, ['events']],
        [{ ...NEW, events: 'alert.fired' }, ['events']],
        [{ ...NEW, events: null }, ['events']],
        [{ ...NEW, events: ['alert.fired', 'Alert.Fired', '*'] }, ['events.1', 'events.2']],
        [
          { ...NEW, secret: 'whsec_mine', enabled: false, id: 'whk_1' },
          ['secret', 'enabled', 'id'],
        ],
        [{ ...NEW, organizationId: app.owner.organizationId }, ['organizationId']],
        [{ url: 7, description: 7, events: 7, x: 7 }, ['url', 'description', 'events', 'x']],
        [[NEW], ['']],
      ]

      for (const [body, paths] of bodies) {
        const answer = await owner.post('/api/webhooks', body)
        expectFailure(answer, 400, 'INVALID_REQUEST')
        expect([body, invalidPaths(answer)]).toEqual([body, paths])
      }
      expect(await webhooksOf(owner)).toEqual([])
    })
  })

  describe('listing', () => {
    test('shows every field of each, newest first', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const ids: string[] = []
      for (const description of ['first', 'second', 'third']) {
        ids.unshift((await created(owner, { description })).id)
        app.advance(minutes(1))
      }

      const answer = await owner.get('/api/webhooks')

      expect(answer.body.data).toEqual({
        items: ['third', 'second', 'first'].map((description, index) => ({
          id: ids[index],
          url: URL,
          description,
          events: ['crawl.run.completed'],
          ...UNTRIED,
          createdAt: expect.any(String),
        })),
      })
    })

    test('shows an address without the values of its parameters; one alone has them', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const url = 'https://hooks.example.com/in?token=s3cret&next=a%3Db=c&s3cret-flag'
      const { id } = await created(owner, { url })

      const answer = await owner.get('/api/webhooks')

      const [listed] = dataOf(answer, ListWebhooks).items
      expect(listed?.url).toBe('https://hooks.example.com/in?token=…&next=…&…')
      expect(JSON.stringify(answer.body)).not.toContain('s3cret')
      expect(dataOf(await owner.get(`/api/webhooks/${id}`), GetWebhook).url).toBe(url)
    })

    test('is empty where there is no webhook, and takes no parameter', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)

      const answer = await owner.get('/api/webhooks?limit=1&enabled=true')

      expect(await webhooksOf(owner)).toEqual([])
      expectFailure(answer, 400, 'INVALID_REQUEST')
      expect(invalidPaths(answer)).toEqual(['limit', 'enabled'])
    })
  })

  describe('changing', () => {
    test('changes what is named, leaves the rest, and answers with all of it', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const { id } = await created(owner, { description: 'before' })
      const expected = dataOf(await owner.get(`/api/webhooks/${id}`), GetWebhook)
      const changes = [
        { url: 'http://127.0.0.1:9/elsewhere?a=b' },
        { description: 'after' },
        { events: ['alert.fired', 'crawl.run.completed'] satisfies EventKind[] },
        { url: URL, description: '', events: ['curation.batch.ready'] satisfies EventKind[] },
      ]

      for (const change of changes) {
        const answer = await owner.send('PATCH', `/api/webhooks/${id}`, { body: change })

        Object.assign(expected, change)
        expect(dataOf(answer, ChangeWebhook)).toEqual(expected)
        expect(dataOf(await owner.get(`/api/webhooks/${id}`), GetWebhook)).toEqual(expected)
      }
    })

    test('what it is told from then on is what it now wants', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const { organizationId } = app.owner
      const { id } = await created(owner, { events: ['crawl.run.completed'] })

      const body = { events: ['alert.fired', 'alert.fired'] }
      await owner.send('PATCH', `/api/webhooks/${id}`, { body })
      await told(app.app, organizationId, 'crawl.run.completed')
      const { id: eventId } = await told(app.app, organizationId, 'alert.fired')

      expect(await deliveriesTo(app.app, { organizationId, id })).toMatchObject([{ eventId }])
    })

    test('refuses to change nothing, and what creating refuses, and changes nothing then', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const { id } = await created(owner)
      const before = await webhooksOf(owner)
      const bodies: [body: unknown, paths: string[]][] = [
        [{}, ['']],
        [undefined, ['']],
        [{ url: 'ftp://hooks.example.com', description: 'new' }, ['url']],
        [{ url: '' }, ['url']],
        [{ description: 'x'.repeat(501) }, ['description']],
        [{ events: [], description: 'new' }, ['events']],
        [{ events: ['nothing.happened'] }, ['events.0']],
        [{ description: 'new', enabled: false, secret: 'x' }, ['enabled', 'secret']],
      ]

      for (const [body, paths] of bodies) {
        const answer = await owner.send('PATCH', `/api/webhooks/${id}`, { body })
        expectFailure(answer, 400, 'INVALID_REQUEST')
        expect([body, invalidPaths(answer)]).toEqual([body, paths])
      }
      expect(await webhooksOf(owner)).toEqual(before)
    })
  })

  describe('deleting', () => {
    test('takes it away at once, for every operation', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const { id } = await created(owner)
      const { id: kept } = await created(owner)

      const answer = await owner.send('DELETE', `/api/webhooks/${id}`)

      expect(dataOf(answer, DeleteWebhook)).toEqual({})
      expect((await webhooksOf(owner)).map((webhook) => webhook.id)).toEqual([kept])
      for (const [method, path, body] of OF_ONE) {
        const gone = await owner.send(method, path.replace('{id}', id), { body })
        const never = await owner.send(method, path.replace('{id}', newId('whk', 0)), { body })
        expectFailure(gone, 404, 'NOT_FOUND')
        expect(withoutRequestId(gone)).toEqual(withoutRequestId(never))
      }
    })

    test('works once, also when two do it at the same time', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const { id } = await created(owner)

      const answers = await Promise.all([
        owner.send('DELETE', `/api/webhooks/${id}`),
        owner.send('DELETE', `/api/webhooks/${id}`),
      ])

      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
    })

    test('what waited is not sent, nothing more is told, and none of it can be redelivered', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const { organizationId } = app.owner
      const webhook = await aWebhook(app.app, organizationId, { url: URL })
      await told(app.app, organizationId)
      const { id } = await deliveryIn(app.app, webhook, 'pending')

      await owner.send('DELETE', `/api/webhooks/${webhook.id}`)
      await told(app.app, organizationId)
      await attemptsEnd(app.app, webhook)

      const again = await owner.send('POST', `/api/deliveries/${id}/redeliver`)
      expectFailure(again, 404, 'NOT_FOUND')
      expect(await deliveriesTo(app.app, webhook)).toEqual([])
      expect(
        await deliveryById(app.app.db, { organizationId: webhook.organizationId, id }),
      ).toMatchObject({
        state: 'held',
        attempts: 0,
        dueAt: null,
      })
    })

    test('once purged, its deliveries and their log are gone; those of others are there', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const { organizationId } = app.owner
      const gone = await aWebhook(app.app, organizationId, { url: URL })
      const kept = await aWebhook(app.app, organizationId, { url: URL })
      await told(app.app, organizationId)
      await attemptsEnd(app.app, gone)
      await told(app.app, organizationId)
      const [delivery] = await deliveriesTo(app.app, gone)

      await owner.send('DELETE', `/api/webhooks/${gone.id}`)
      await purgeDeliveries.run(app.app, new AbortController().signal)

      const { items } = dataOf(await owner.get('/api/deliveries'), ListDeliveries)
      expect(items.map(({ webhookId }) => webhookId)).toEqual([kept.id, kept.id])
      for (const path of ['', '/redeliver']) {
        const method = path === '' ? 'GET' : 'POST'
        const answer = await owner.send(method, `/api/deliveries/${delivery?.id}${path}`)
        expectFailure(answer, 404, 'NOT_FOUND')
      }
      const left = await app.app.db.selectFrom('webhook').select('id').execute()
      expect(left).toEqual([{ id: kept.id }])
      expect(await app.app.db.selectFrom('attempt').selectAll().execute()).toEqual([])
    })
  })

  describe('who may', () => {
    test('members and viewers may not see or do anything with webhooks', async () => {
      await using app = await testApp(engine)
      const { app: inside, owner } = app
      const webhook = await aWebhook(inside, owner.organizationId, { url: URL })
      await told(inside, owner.organizationId)
      const { id: deliveryId } = await deliveryIn(inside, webhook, 'pending')

      for (const role of ['member', 'viewer'] as const) {
        const { client } = await aMember(app, role)
        for (const { method, path, body } of requestsFor(webhook.id, deliveryId)) {
          const answer = await client.send(method, path, { body })
          expectFailure(answer, 403, 'FORBIDDEN')
        }
      }
      expect(await webhooksOf(await signedIn(app))).toMatchObject([{ id: webhook.id, ...UNTRIED }])
    })

    test('an admin may do what an owner may', async () => {
      await using app = await testApp(engine)
      const { app: inside, owner } = app
      const { client } = await aMember(app, 'admin')
      const webhook = await aWebhook(inside, owner.organizationId, { url: 'http://127.0.0.1:9/' })
      await told(inside, owner.organizationId)
      const { id: deliveryId } = await deliveryIn(inside, webhook, 'pending')

      const statuses: [string, number][] = []
      for (const { id, method, path, body } of requestsFor(webhook.id, deliveryId)) {
        // What has no redelivery to show and what would end the webhook is for other tests.
        if (['getRedelivery', 'deleteWebhook', 'disableWebhook'].includes(id)) continue
        statuses.push([id, (await client.send(method, path, { body })).status])
      }

      expect(statuses).toEqual(statuses.map(([id]) => [id, 200]))
      for (const rest of ['disable', '']) {
        const path = `/api/webhooks/${webhook.id}/${rest}`.replace(/\/$/, '')
        expect((await client.send(rest === '' ? 'DELETE' : 'POST', path)).status).toBe(200)
      }
    })

    test('a key is not asked for its scopes: it cannot do anything here', async () => {
      await using app = await testApp(engine)
      const { key } = await app.createKey({ scopes: ['*'] })
      const client = new Client(app.url)

      for (const { method, path, body } of requestsFor('whk_1', 'dlv_1')) {
        expectFailure(await client.send(method, path, { key, body }), 401, 'UNAUTHORIZED')
        expectFailure(await client.send(method, path, { body }), 401, 'UNAUTHORIZED')
      }
    })

    test('these are all the operations on webhooks and deliveries', () => {
      expect(requestsFor('whk_1', 'dlv_1')).toHaveLength(15)
    })
  })
})

/** Every operation that names one webhook. */
const OF_ONE: [method: string, path: string, body?: unknown][] = [
  ['GET', '/api/webhooks/{id}'],
  ['PATCH', '/api/webhooks/{id}', { description: 'new' }],
  ['DELETE', '/api/webhooks/{id}'],
  ['POST', '/api/webhooks/{id}/rotate'],
  ['POST', '/api/webhooks/{id}/enable'],
  ['POST', '/api/webhooks/{id}/disable'],
  ['POST', '/api/webhooks/{id}/test'],
  ['POST', '/api/webhooks/{id}/redeliver', { since: '2026-01-01T00:00:00Z' }],
  ['GET', '/api/webhooks/{id}/health'],
]

const BODIES: Record<string, unknown> = {
  createWebhook: NEW,
  changeWebhook: { description: 'new' },
  redeliverAll: { since: '2026-01-01T00:00:00Z' },
}

/** A valid request for each operation that wants the right to manage webhooks. */
function requestsFor(webhookId: string, deliveryId: string) {
  const ours = ROUTES.map(({ operation }) => operation).filter(
    ({ access }) => access.kind === 'session' && access.right === 'webhooks:manage',
  )
  return ours.map(({ id, method, path }) => {
    const thing = path.startsWith('/api/deliveries') ? deliveryId : webhookId
    return { id, method, path: path.replace('{id}', thing), body: BODIES[id] }
  })
}

async function created(client: Client, wanted: object = {}) {
  return dataOf(await client.post('/api/webhooks', { ...NEW, ...wanted }), CreateWebhook)
}

async function webhooksOf(client: Client) {
  return dataOf(await client.get('/api/webhooks'), ListWebhooks).items
}
