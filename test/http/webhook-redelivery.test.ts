// Everything that failed or was held since a time is sent again, in the background.

import { describe, expect, test } from 'vitest'
import { GetRedelivery, RedeliverAll } from '#src/contract/delivery.ts'
import { redeliverAll } from '#src/jobs/redeliver-all.ts'
import { startSender } from '#src/jobs/sender.ts'
import { startWorker } from '#src/jobs/worker.ts'
import { hours, minutes } from '#src/lib/duration.ts'
import { newId } from '#src/lib/id.ts'
import { isoTime } from '#src/lib/iso-time.ts'
import { dataOf, invalidPaths } from '#test/support/answers.ts'
import { expectFailure, type Client } from '#test/support/client.ts'
import { signedIn } from '#test/support/people.ts'
import { ENGINES } from '#test/support/place.ts'
import { receiver } from '#test/support/receiver.ts'
import { testApp, type TestApp } from '#test/support/test-app.ts'
import {
  attemptsEnd,
  aWebhook,
  deliveriesTo,
  eventually,
  told,
  toldMany,
} from '#test/support/webhooks.ts'

const FAILED = { ok: false, status: 503, error: 'HTTP 503' }
const WORK = { queues: ['work'], jobs: [redeliverAll] } as const

describe.each(ENGINES)('redelivering everything on %s', (engine) => {
  test('answers with how much there is to do, and how far it has come until it is done', async () => {
    await using home = await testApp(engine)
    await using there = await receiver()
    const { app, owner } = home
    const client = await signedIn(home)
    const webhook = await aWebhook(app, owner.organizationId, { url: there.url })
    const { id: other } = await aWebhook(app, owner.organizationId, { url: there.url })
    await client.send('POST', `/api/webhooks/${other}/disable`)
    for (const isLast of [true, true, false]) {
      await told(app, owner.organizationId)
      await attemptsEnd(app, webhook, FAILED, { isLast })
    }
    const since = isoTime(app.clock() - hours(1))

    const answer = await all(client, webhook.id, since)
    const begun = dataOf(answer, RedeliverAll)
    const meanwhile = dataOf(await client.get(`/api/redeliveries/${begun.id}`), GetRedelivery)

    expect(begun).toEqual({
      id: expect.stringMatching(/^rdl_/),
      webhookId: webhook.id,
      since,
      total: 2,
      done: 0,
      createdAt: expect.any(String),
      finishedAt: null,
    })
    expect(begun.createdAt > since && begun.createdAt <= isoTime(app.clock())).toBe(true)
    expect(meanwhile).toEqual(begun)
    await using _worker = await startWorker(app, WORK)
    const finished = await finishedRedelivery(client, begun.id)
    expect(finished).toEqual({ ...begun, done: 2, finishedAt: expect.any(String) })
    expect(String(finished.finishedAt) >= begun.createdAt).toBe(true)
  })

  test('sends what failed and what was held since then, with the same ids, and nothing else', async () => {
    await using home = await testApp(engine)
    await using there = await receiver()
    const { app, owner } = home
    const { organizationId } = owner
    const client = await signedIn(home)
    const webhook = await aWebhook(app, organizationId, { url: there.url })
    const next = async (): Promise<string> => {
      home.advance(minutes(1))
      return (await told(app, organizationId)).id
    }
    const isLast = { isLast: true }
    await next()
    await attemptsEnd(app, webhook, FAILED, isLast)
    const failed = await next()
    const since = createdAtOf(await deliveriesTo(app, webhook))
    await attemptsEnd(app, webhook, FAILED, isLast)
    await next()
    await attemptsEnd(app, webhook)
    await client.send('POST', `/api/webhooks/${webhook.id}/disable`)
    const held = await next()
    await client.send('POST', `/api/webhooks/${webhook.id}/enable`)
    await next()
    await attemptsEnd(app, webhook, { ...FAILED, retryAfterMs: hours(20) })

    const { id } = dataOf(await all(client, webhook.id, since), RedeliverAll)
    await using _worker = await startWorker(app, WORK)
    await using _sender = await startSender(app)

    expect(await finishedRedelivery(client, id)).toMatchObject({ total: 2, done: 2 })
    await eventually(async () => {
      const states = (await deliveriesTo(app, webhook)).map(({ state }) => state)
      expect(states).toEqual(['retrying', 'delivered', 'delivered', 'delivered', 'failed'])
    })
    const ids = there.got.map(({ headers }) => String(headers['webhook-id']))
    expect(ids.toSorted()).toEqual([failed, held].toSorted())
  })

  test('a test that failed is not sent again', async () => {
    await using home = await testApp(engine)
    const { app, owner } = home
    const client = await signedIn(home)
    const { id } = await aWebhook(app, owner.organizationId, { url: 'http://127.0.0.1:9/' })
    await client.send('POST', `/api/webhooks/${id}/test`)

    const answer = await all(client, id, isoTime(app.clock() - hours(1)))

    expect(dataOf(answer, RedeliverAll).total).toBe(0)
  })

  test('goes on step by step when there are more than fit into one', async () => {
    await using home = await testApp(engine)
    const { app, owner } = home
    const client = await signedIn(home)
    const webhook = await aWebhook(app, owner.organizationId, { url: 'http://127.0.0.1:9/' })
    await client.send('POST', `/api/webhooks/${webhook.id}/disable`)
    await toldMany(app, owner.organizationId, { count: 1_000 })
    await client.send('POST', `/api/webhooks/${webhook.id}/enable`)

    const answer = await all(client, webhook.id, isoTime(app.clock() - hours(1)))
    const { id, total } = dataOf(answer, RedeliverAll)
    await using _worker = await startWorker(app, WORK)
    const finished = await finishedRedelivery(client, id)

    expect([total, finished.done]).toEqual([1_000, 1_000])
    const states = new Set((await deliveriesTo(app, webhook)).map(({ state }) => state))
    expect([...states]).toEqual(['pending'])
  })

  test('a webhook that is disabled meanwhile ends it, and what is left stays held', async () => {
    await using home = await testApp(engine)
    const { app, client, webhookId } = await withHeld(home)
    await client.send('POST', `/api/webhooks/${webhookId}/enable`)
    const answer = await all(client, webhookId, isoTime(app.clock() - hours(1)))
    const { id } = dataOf(answer, RedeliverAll)

    await client.send('POST', `/api/webhooks/${webhookId}/disable`)
    await using _worker = await startWorker(app, WORK)

    expect(await finishedRedelivery(client, id)).toMatchObject({ total: 1, done: 0 })
    const key = { organizationId: home.owner.organizationId, id: webhookId }
    expect(await deliveriesTo(app, key)).toMatchObject([{ state: 'held' }])
  })

  test('is refused while the webhook is disabled', async () => {
    await using home = await testApp(engine)
    const { app, client, webhookId } = await withHeld(home)

    const answer = await all(client, webhookId, isoTime(app.clock() - hours(1)))

    expectFailure(answer, 409, 'CONFLICT')
    expect(answer.body.error?.message).toContain('disabled')
    expect(await app.db.selectFrom('redelivery').selectAll().execute()).toEqual([])
    const jobs = await app.db.selectFrom('job').select('name').execute()
    expect(jobs.map(({ name }) => name)).not.toContain('redeliver_all')
  })

  test('wants to know since when, a day or an instant, and nothing else', async () => {
    await using home = await testApp(engine)
    const client = await signedIn(home)
    const { organizationId } = home.owner
    const { id } = await aWebhook(home.app, organizationId, { url: 'http://127.0.0.1:9/' })
    const since = '2026-01-01T00:00:00Z'
    const bodies: [body: unknown, paths: string[]][] = [
      [{}, ['since']],
      [undefined, ['']],
      [{ since: '2026-02-30' }, ['since']],
      [{ since: 'yesterday' }, ['since']],
      [{ since: 1_767_225_600_000 }, ['since']],
      [{ since: null }, ['since']],
      [{ since, until: since, states: ['failed'] }, ['until', 'states']],
    ]

    for (const [body, paths] of bodies) {
      const answer = await client.send('POST', `/api/webhooks/${id}/redeliver`, { body })
      expectFailure(answer, 400, 'INVALID_REQUEST')
      expect([body, invalidPaths(answer)]).toEqual([body, paths])
    }
    for (const text of ['2026-01-01T02:00:00+02:00', '2026-01-01']) {
      const begun = await all(client, id, text)
      expect(dataOf(begun, RedeliverAll).since).toBe('2026-01-01T00:00:00.000Z')
    }
    expectFailure(await all(client, newId('whk', 0), since), 404, 'NOT_FOUND')
    const missing = await client.get(`/api/redeliveries/${newId('rdl', 0)}`)
    expectFailure(missing, 404, 'NOT_FOUND')
  })
})

function all(client: Client, id: string, since: string) {
  return client.post(`/api/webhooks/${id}/redeliver`, { since })
}

async function finishedRedelivery(client: Client, id: string) {
  return eventually(async () => {
    const redelivery = dataOf(await client.get(`/api/redeliveries/${id}`), GetRedelivery)
    expect(redelivery.finishedAt).not.toBeNull()
    return redelivery
  })
}

/** A disabled webhook with one delivery. */
async function withHeld(home: TestApp) {
  const { app, owner } = home
  const client = await signedIn(home)
  const { id } = await aWebhook(app, owner.organizationId, { url: 'http://127.0.0.1:9/' })
  await client.send('POST', `/api/webhooks/${id}/disable`)
  await told(app, owner.organizationId)
  return { app, client, webhookId: id }
}

/** Of the newest. */
function createdAtOf([newest]: { createdAt: number }[]): string {
  return isoTime(newest?.createdAt ?? 0)
}
