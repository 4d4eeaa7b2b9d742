import { describe, expect, test } from 'vitest'
import type { App } from '#src/app.ts'
import { CrawlRunCompleted } from '#src/contract/event.ts'
import { disableWebhook } from '#src/events/enable-webhook.ts'
import { sampleEvent } from '#src/events/sample-event.ts'
import { tell } from '#src/events/tell.ts'
import { startSender } from '#src/jobs/sender.ts'
import { control } from '#test/simulate/client.ts'
import { ENGINES } from '#test/support/place.ts'
import { receiver } from '#test/support/receiver.ts'
import { stillApp } from '#test/support/still-app.ts'
import { testApp } from '#test/support/test-app.ts'
import { publish, round, rowsIn, runsIn, watch, watchingApp } from '#test/support/watching.ts'
import {
  allIn,
  aWebhook,
  deliveriesTo,
  eventually,
  told,
  toldMany,
} from '#test/support/webhooks.ts'

const URL = 'http://127.0.0.1:9/hook'

describe.concurrent.each(ENGINES)('telling on %s', (engine) => {
  test('an event and its deliveries are there with the fact, or not at all', async () => {
    await using home = await stillApp(engine)
    const { app, organizationId } = home
    await aWebhook(app, organizationId, { url: URL })

    const undone = app.db.transaction().execute(async (trx) => {
      await tell(trx, [sampleEvent(organizationId, 'alert.fired', app.clock())])
      expect(await trx.selectFrom('delivery').selectAll().execute()).toHaveLength(1)
      throw new Error('the fact did not come about')
    })

    await expect(undone).rejects.toThrow('the fact did not come about')
    expect(await rowsIn(app.db, 'event')).toEqual([])
    expect(await rowsIn(app.db, 'delivery')).toEqual([])
  })

  test('it is told to every webhook of the organization that wants its kind, once each', async () => {
    await using home = await testApp(engine)
    const { app, owner } = home
    const ours = owner.organizationId
    const theirs = await home.createOrganization('Globex')
    const everything = await aWebhook(app, ours, { url: URL })
    const runs = await aWebhook(app, ours, { url: URL, events: ['crawl.run.completed'] })
    const alerts = await aWebhook(app, ours, { url: URL, events: ['alert.fired'] })
    const foreign = await aWebhook(app, theirs, { url: URL })

    const event = await told(app, ours, 'crawl.run.completed')

    for (const webhook of [everything, runs]) {
      expect(await deliveriesTo(app, webhook)).toMatchObject([
        {
          organizationId: ours,
          eventId: event.id,
          kind: 'crawl.run.completed',
          isTest: false,
          state: 'pending',
          attempts: 0,
          dueAt: event.createdAt,
          createdAt: event.createdAt,
        },
      ])
    }
    expect(await deliveriesTo(app, alerts)).toEqual([])
    expect(await deliveriesTo(app, foreign)).toEqual([])
  })

  test('events of several organizations in one transaction go to their own webhooks', async () => {
    await using home = await testApp(engine)
    const { app, owner } = home
    const theirs = await home.createOrganization('Globex')
    const ourWebhook = await aWebhook(app, owner.organizationId, { url: URL })
    const theirWebhook = await aWebhook(app, theirs, { url: URL })
    const events = [owner.organizationId, theirs].map((organizationId) =>
      sampleEvent(organizationId, 'alert.fired', app.clock()),
    )

    await app.db.transaction().execute((trx) => tell(trx, events))

    expect(await deliveriesTo(app, ourWebhook)).toMatchObject([{ eventId: events[0]?.id }])
    expect(await deliveriesTo(app, theirWebhook)).toMatchObject([{ eventId: events[1]?.id }])
  })

  test('an event that nobody wants is stored, and delivered to nobody who comes later', async () => {
    await using home = await stillApp(engine)
    const { app, organizationId } = home
    const event = await told(app, organizationId)

    const latecomer = await aWebhook(app, organizationId, { url: URL })

    expect(await rowsIn(app.db, 'event')).toMatchObject([{ id: event.id, body: event.body }])
    expect(await deliveriesTo(app, latecomer)).toEqual([])
  })

  test('for a webhook that is disabled it is held', async () => {
    await using home = await stillApp(engine)
    const { app, organizationId } = home
    const webhook = await aWebhook(app, organizationId, { url: URL })
    await disableWebhook(app.db, webhook, app.clock())

    await told(app, organizationId)

    expect(await deliveriesTo(app, webhook)).toMatchObject([{ state: 'held', dueAt: null }])
  })

  test('200 events for 30 webhooks are told in one transaction', async () => {
    await using home = await stillApp(engine)
    const { app, organizationId } = home
    for (let index = 0; index < 30; index += 1) await aWebhook(app, organizationId, { url: URL })

    await toldMany(app, organizationId, { count: 200 })

    expect(await rowsIn(app.db, 'event')).toHaveLength(200)
    const deliveries = await rowsIn(app.db, 'delivery')
    expect(deliveries).toHaveLength(6_000)
    const pairs = deliveries.map((row) => `${row.webhook_id} ${row.event_id}`)
    expect(new Set(pairs).size).toBe(6_000)
  })

  test('a webhook is told in the order in which things happened', async () => {
    await using home = await stillApp(engine, { EARSHOT_WEBHOOK_CONCURRENCY: '1' })
    await using there = await receiver()
    const { app, organizationId } = home
    const webhook = await aWebhook(app, organizationId, { url: there.url })
    const events = await toldMany(app, organizationId, { count: 90 })
    await using _sender = await startSender(app)

    await allIn(app, webhook, ['delivered'])

    const ids = there.got.map(({ headers }) => headers['webhook-id'])
    expect(ids).toEqual(events.map(({ id }) => id))
  })

  test('every crawl run is told: with posts, without any, and when it errored', async () => {
    await using home = await watchingApp(engine)
    await using there = await receiver()
    const { app, organizationId } = home
    await aWebhook(app, organizationId, { url: there.url, events: ['crawl.run.completed'] })
    publish(home, { title: 'a NAS' })
    await watch(home, { name: 'Größe', rules: [{ any: ['nas'] }] })
    await round(home)
    await round(home)
    await control(home.simulation, { channels: [{ name: 'selfhosted', access: 'private' }] })
    await round(home)

    await using _sender = await startSender(app)
    await untilSent(app)

    const bodies = there.got.map(({ body }) => CrawlRunCompleted.parse(JSON.parse(String(body))))
    const byRun = new Map(bodies.map(({ data }) => [data.run_id, data]))
    const runs = await runsIn(app.db)
    expect(runs.map(({ id }) => byRun.get(id))).toMatchObject([
      { status: 'ok', posts_fetched: 1, matched: 1, errored: false, watcher_name: 'Größe' },
      { status: 'ok', posts_fetched: 0, matched: 0, errored: false, error: null },
      { status: 'error', posts_fetched: 0, errored: true, error: expect.any(String) },
    ])
    expect(bodies).toHaveLength(3)
  })
})

async function untilSent({ db }: App): Promise<void> {
  await eventually(async () => {
    const rows = await db
      .selectFrom('delivery')
      .select('id')
      .where('state', '<>', 'delivered')
      .execute()
    expect(rows).toEqual([])
  })
}
