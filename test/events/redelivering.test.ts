import { describe, expect, test } from 'vitest'
import type { App } from '#src/app.ts'
import type { Delivery } from '#src/events/delivery-store.ts'
import { disableWebhook, enableWebhook } from '#src/events/enable-webhook.ts'
import { redeliver } from '#src/events/redeliver.ts'
import { advanceRedelivery } from '#src/events/redelivery.ts'
import { redeliveryById, type Redelivery } from '#src/events/redelivery-store.ts'
import { startRedelivery } from '#src/events/start-redelivery.ts'
import { testWebhook } from '#src/events/test-webhook.ts'
import { purgeDeliveries } from '#src/jobs/purge-deliveries.ts'
import { redeliverAll } from '#src/jobs/redeliver-all.ts'
import { startSender } from '#src/jobs/sender.ts'
import { startWorker } from '#src/jobs/worker.ts'
import { days, hours } from '#src/lib/duration.ts'
import { attemptTerms } from '#src/webhook-context.ts'
import { ENGINES } from '#test/support/place.ts'
import { answering, holding, receiver } from '#test/support/receiver.ts'
import { aRunWebhook, bystander, stillApp, type StillApp } from '#test/support/still-app.ts'
import {
  allIn,
  deliveriesTo,
  deliveryIn,
  eventually,
  logOf,
  told,
  toldMany,
  type MadeWebhook,
} from '#test/support/webhooks.ts'

describe.concurrent.each(ENGINES)('redelivering on %s', (engine) => {
  test('a delivered one is sent again at once, with the same bytes and ids', async () => {
    await using home = await stillApp(engine)
    await using there = await receiver()
    const webhook = await aRunWebhook(home, there.url)
    await using _sender = await startSender(home.app)
    const event = await told(home.app, home.organizationId)
    const delivered = await deliveryIn(home.app, webhook, 'delivered')

    const queued = await redeliver(home.app.db, delivered, home.app.clock())

    expect(queued).toMatchObject({ id: delivered.id, state: 'pending' })
    await eventually(() => expect(there.got).toHaveLength(2))
    expect(there.got.map(({ body }) => body.toString())).toEqual([event.body, event.body])
    expect(there.got.map(({ headers }) => headers['webhook-id'])).toEqual([event.id, event.id])
    const again = await deliveryIn(home.app, webhook, 'delivered')
    expect(await logOf(home.app, again)).toMatchObject([{ number: 1 }, { number: 2 }])
  })

  test('one that waits for its next attempt need not wait', async () => {
    await using home = await stillApp(engine)
    await using there = await receiver((response, _got, count) => {
      response.writeHead(count === 1 ? 500 : 200).end()
    })
    const webhook = await aRunWebhook(home, there.url)
    await using _sender = await startSender(home.app)
    await told(home.app, home.organizationId)
    const waiting = await deliveryIn(home.app, webhook, 'retrying')

    await redeliver(home.app.db, waiting, home.app.clock())

    expect(await deliveryIn(home.app, webhook, 'delivered')).toMatchObject({ attempts: 2 })
  })

  test('what was held survives a restart and the purge, and is redelivered one by one', async () => {
    await using home = await stillApp(engine)
    await using there = await receiver()
    const webhook = await aRunWebhook(home, there.url)
    await disableWebhook(home.app.db, webhook, home.app.clock())
    const event = await told(home.app, home.organizationId)
    home.advance(days(400))
    const app = await home.reopen()
    await purgeDeliveries.run(app, new AbortController().signal)
    await using _sender = await startSender(app)
    const held = await deliveryIn(app, webhook, 'held')
    await expect(redeliver(app.db, held, app.clock())).rejects.toMatchObject({ code: 'CONFLICT' })

    await enableWebhook(app.db, webhook)
    await redeliver(app.db, held, app.clock())

    await deliveryIn(app, webhook, 'delivered')
    expect(there.got.map(({ body }) => body.toString())).toEqual([event.body])
  })

  test('is refused for a test, and for what is not there or another’s', async () => {
    await using home = await stillApp(engine)
    await using there = await receiver()
    const webhook = await aRunWebhook(home, there.url)
    const { organizationId } = home
    const { db, clock } = home.app
    const context = { ...storeOf(home.app), terms: await attemptTerms(home.app) }
    const { deliveryId } = await testWebhook(context, webhook)

    const refusals = [
      { key: { organizationId, id: deliveryId }, code: 'CONFLICT' },
      { key: { organizationId, id: 'dlv_missing' }, code: 'NOT_FOUND' },
      { key: { organizationId: 'org_other', id: deliveryId }, code: 'NOT_FOUND' },
    ]
    for (const { key, code } of refusals) {
      await expect(redeliver(db, key, clock())).rejects.toMatchObject({ code })
    }
  })

  test('what is being sent cannot be redelivered until its attempt has ended', async () => {
    await using home = await stillApp(engine)
    const held = holding()
    await using there = await receiver(held.answer)
    const webhook = await aRunWebhook(home, there.url)
    await using _sender = await startSender(home.app)
    await told(home.app, home.organizationId)
    await eventually(() => expect(there.got).toHaveLength(1))
    const [sending] = await deliveriesTo(home.app, webhook)
    if (sending === undefined) throw new Error('there is no delivery')

    await expect(redeliver(home.app.db, sending, home.app.clock())).rejects.toMatchObject({
      code: 'CONFLICT',
    })

    held.release()
    expect(await deliveryIn(home.app, webhook, 'delivered')).toMatchObject({ attempts: 1 })
  })

  test('all: what failed or was held since a time, of this webhook, and nothing else', async () => {
    await using home = await stillApp(engine)
    await using there = await receiver()
    await using other = await bystander(home)
    const [webhook, neighbour] = [
      await aRunWebhook(home, there.url),
      await aRunWebhook(home, there.url),
    ]
    const { app } = home
    await disableWebhook(app.db, webhook, app.clock())
    await disableWebhook(app.db, neighbour, app.clock())
    const [before, failedOne, heldOne, delivered] = await heldInTurn(home, 4)
    await setState(app, webhook, { eventId: failedOne, state: 'failed' })
    await setState(app, webhook, { eventId: delivered, state: 'delivered' })
    await enableWebhook(app.db, webhook)
    await using _sender = await startSender(app)

    const since = app.clock() - hours(6)
    const redelivery = await redeliveredAll(app, webhook, since)

    expect(redelivery).toMatchObject({ total: 2, done: 2, since, finishedAt: app.clock() })
    await allIn(app, webhook, ['delivered', 'held'])
    await other.senderLooked()
    const idsGot = there.got.map(({ headers }) => headers['webhook-id'])
    expect(idsGot.sort()).toEqual([failedOne, heldOne].sort())
    const kept = await deliveriesTo(app, webhook)
    expect(kept.find(({ eventId }) => eventId === before)).toMatchObject({ state: 'held' })
    expect(await allIn(app, neighbour, ['held'])).toHaveLength(4)
  })

  test('all: thousands go in steps, with the progress told, and every one arrives', async () => {
    await using home = await stillApp(engine, { EARSHOT_WEBHOOK_PACE: '0' })
    await using there = await receiver()
    const webhook = await aRunWebhook(home, there.url)
    const { app, organizationId } = home
    await disableWebhook(app.db, webhook, app.clock())
    const events = await toldMany(app, organizationId, { count: 1_200 })
    await enableWebhook(app.db, webhook)
    const terms = { since: app.clock() - days(1), now: app.clock() }
    const begun = await startRedelivery(storeOf(app), webhook, terms)
    expect(begun).toMatchObject({ total: 1_200, done: 0, finishedAt: null })

    const steps = [await advanceRedelivery(storeOf(app), begun, app.clock())]
    expect(await redeliveryById(app.db, begun)).toEqual(steps[0])
    const last = await finished(app, begun)

    expect(steps).toMatchObject([{ done: 500, finishedAt: null }])
    expect(last).toMatchObject({ total: 1_200, done: 1_200, finishedAt: app.clock() })
    await using _sender = await startSender(app)
    await eventually(() => expect(there.got).toHaveLength(1_200))
    const idsGot = there.got.map(({ headers }) => headers['webhook-id'])
    expect(new Set(idsGot)).toEqual(new Set(events.map(({ id }) => id)))
    await settledAll(app, webhook)
  })

  test('all: it stops when the webhook is disabled again, and what is left stays held', async () => {
    await using home = await stillApp(engine)
    await using there = await receiver()
    const webhook = await aRunWebhook(home, there.url)
    const { app } = home
    await disableWebhook(app.db, webhook, app.clock())
    await toldMany(app, home.organizationId, { count: 700 })
    await enableWebhook(app.db, webhook)
    const terms = { since: app.clock() - days(1), now: app.clock() }
    const begun = await startRedelivery(storeOf(app), webhook, terms)
    await advanceRedelivery(storeOf(app), begun, app.clock())

    await disableWebhook(app.db, webhook, app.clock())
    const last = await advanceRedelivery(storeOf(app), begun, app.clock())

    expect(last).toMatchObject({ total: 700, done: 500, finishedAt: app.clock() })
    expect(await allIn(app, webhook, ['held'])).toHaveLength(700)
  })

  test('all: is refused while the webhook is disabled, and leaves no job', async () => {
    await using home = await stillApp(engine)
    await using there = await receiver(answering(200))
    const webhook = await aRunWebhook(home, there.url)
    const { app } = home
    await disableWebhook(app.db, webhook, app.clock())

    const terms = { since: 0, now: app.clock() }
    await expect(startRedelivery(storeOf(app), webhook, terms)).rejects.toMatchObject({
      code: 'CONFLICT',
    })

    const jobs = await app.db.selectFrom('job').select('name').execute()
    expect(jobs.filter(({ name }) => name === 'redeliver_all')).toEqual([])
  })
})

/** Events two hours from each other; the last is an hour old. */
async function heldInTurn(home: StillApp, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) {
    ids.push((await told(home.app, home.organizationId)).id)
    home.advance(index === count - 1 ? hours(1) : hours(2))
  }
  return ids
}

async function setState(
  { db }: App,
  { organizationId, id }: MadeWebhook,
  { eventId = '', state }: { eventId?: string | undefined; state: Delivery['state'] },
): Promise<void> {
  await db
    .updateTable('delivery')
    .set({ state })
    .where('organization_id', '=', organizationId)
    .where('webhook_id', '=', id)
    .where('event_id', '=', eventId)
    .execute()
}

function storeOf({ db, database }: App) {
  return { db, engine: database.engine }
}

/** As a dashboard starts it and a worker does it. */
async function redeliveredAll(app: App, webhook: MadeWebhook, since: number): Promise<Redelivery> {
  const begun = await startRedelivery(storeOf(app), webhook, { since, now: app.clock() })
  return finished(app, begun)
}

async function finished(app: App, begun: Redelivery): Promise<Redelivery> {
  await using _worker = await startWorker(app, { queues: ['work'], jobs: [redeliverAll] })
  return await eventually(async () => {
    const redelivery = await redeliveryById(app.db, begun)
    if (redelivery?.finishedAt == null) throw new Error('it is not finished')
    return redelivery
  })
}

/** Nothing of it is left in a sender's hands. */
async function settledAll({ db }: App, { organizationId, id }: MadeWebhook): Promise<void> {
  await eventually(async () => {
    const rows = await db
      .selectFrom('delivery')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('webhook_id', '=', id)
      .where('state', '<>', 'delivered')
      .execute()
    expect(rows).toEqual([])
  })
}
