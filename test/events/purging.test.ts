import { describe, expect, test } from 'vitest'
import type { App } from '#src/app.ts'
import { deleteWebhook, disableWebhook, enableWebhook } from '#src/events/enable-webhook.ts'
import { testWebhook } from '#src/events/test-webhook.ts'
import { purgeDeliveries } from '#src/jobs/purge-deliveries.ts'
import { startSender } from '#src/jobs/sender.ts'
import { days } from '#src/lib/duration.ts'
import { attemptTerms } from '#src/webhook-context.ts'
import { ENGINES } from '#test/support/place.ts'
import { answering, holding, receiver } from '#test/support/receiver.ts'
import { stillApp, type StillApp } from '#test/support/still-app.ts'
import { rowsIn } from '#test/support/watching.ts'
import {
  allIn,
  aWebhook,
  deliveriesTo,
  deliveryIn,
  eventually,
  logOf,
  told,
  toldMany,
  type MadeWebhook,
} from '#test/support/webhooks.ts'

describe.concurrent.each(ENGINES)('purging deliveries on %s', (engine) => {
  test('what is over goes with its log and its event when its days are over, and not before', async () => {
    await using home = await stillApp(engine, { EARSHOT_DELIVERY_RETENTION_DAYS: '30' })
    const { app } = home
    await using there = await receiver()
    const webhook = await aRunWebhook(home, there.url)
    await using _sender = await startSender(app)
    await told(app, home.organizationId)
    await sendTest(home, webhook)
    await allIn(app, webhook, ['delivered'])
    home.advance(days(29))
    const young = await told(app, home.organizationId)
    await allIn(app, webhook, ['delivered'])
    expect(await purge(app)).toEqual({ deliveries: 0, events: 0 })
    expect(await deliveriesTo(app, webhook)).toHaveLength(3)

    home.advance(days(1) + 1)

    expect(await purge(app)).toEqual({ deliveries: 2, events: 2 })
    expect(await deliveriesTo(app, webhook)).toMatchObject([{ eventId: young.id }])
    expect(await rowsIn(app.db, 'event')).toMatchObject([{ id: young.id }])
    expect(await rowsIn(app.db, 'attempt')).toHaveLength(1)
  })

  test('what failed goes like what was delivered', async () => {
    await using home = await stillApp(engine)
    const { app } = home
    await using there = await receiver(answering(500))
    const webhook = await aRunWebhook(home, there.url)
    await sendTest(home, webhook)
    await deliveryIn(app, webhook, 'failed')

    home.advance(days(31))

    expect(await purge(app)).toEqual({ deliveries: 1, events: 1 })
    expect(await rowsIn(app.db, 'attempt')).toEqual([])
  })

  test('what is held, waits or is being sent is kept with its event, however old', async () => {
    await using home = await stillApp(engine)
    const { app, organizationId } = home
    const held = holding()
    await using failing = await receiver(answering(500))
    await using hanging = await receiver(held.answer)
    const disabled = await aRunWebhook(home, 'http://127.0.0.1:9/hook')
    await disableWebhook(app.db, disabled, app.clock())
    const [waiting, sending] = [
      await aRunWebhook(home, failing.url),
      await aRunWebhook(home, hanging.url),
    ]
    const sender = await startSender(app)
    const event = await told(app, organizationId)
    await deliveryIn(app, waiting, 'retrying')
    await eventually(() => expect(hanging.got).toHaveLength(1))
    const stopping = sender[Symbol.asyncDispose]()

    home.advance(days(400))
    const purged = await purge(app)

    expect(purged).toEqual({ deliveries: 0, events: 0 })
    await deliveryIn(app, disabled, 'held')
    await deliveryIn(app, waiting, 'retrying')
    await deliveryIn(app, sending, 'sending')
    expect(await rowsIn(app.db, 'event')).toMatchObject([{ id: event.id }])
    held.release()
    await stopping
    await deliveryIn(app, sending, 'delivered')
  })

  test('events that nobody was told of go with the rest', async () => {
    await using home = await stillApp(engine)
    const { app, organizationId } = home
    await toldMany(app, organizationId, { count: 520 })
    home.advance(days(31))
    const young = await told(app, organizationId)

    expect(await purge(app)).toEqual({ deliveries: 0, events: 520 })

    expect(await rowsIn(app.db, 'event')).toMatchObject([{ id: young.id }])
  })

  test('thousands go in steps, and nothing of another webhook with them', async () => {
    await using home = await stillApp(engine)
    const { app, organizationId } = home
    const [webhook, other] = [await aRunWebhook(home), await aRunWebhook(home)]
    await disableWebhook(app.db, other, app.clock())
    await toldMany(app, organizationId, { count: 1_100 })
    await app.db
      .updateTable('delivery')
      .set({ state: 'delivered', due_at: null })
      .where('webhook_id', '=', webhook.id)
      .execute()
    home.advance(days(31))

    expect(await purge(app)).toEqual({ deliveries: 1_100, events: 0 })

    const left = await rowsIn(app.db, 'delivery')
    expect(left).toHaveLength(1_100)
    expect(new Set(left.map((row) => row.webhook_id))).toEqual(new Set([other.id]))
    expect(await rowsIn(app.db, 'event')).toHaveLength(1_100)
  })

  test.each(['30', '0'])(
    'what a deleted webhook left behind goes at once, whatever its state, also with %s days',
    async (retention) => {
      await using home = await stillApp(engine, { EARSHOT_DELIVERY_RETENTION_DAYS: retention })
      const { app, organizationId } = home
      await using there = await receiver()
      const [webhook, other] = [await aRunWebhook(home, there.url), await aRunWebhook(home)]
      await disableWebhook(app.db, other, app.clock())
      await using _sender = await startSender(app)
      await told(app, organizationId)
      await deliveryIn(app, webhook, 'delivered')
      await disableWebhook(app.db, webhook, app.clock())
      await told(app, organizationId)
      await enableWebhook(app.db, webhook)

      await deleteWebhook(app.db, webhook, app.clock())
      const purged = await purge(app)

      expect(purged).toEqual({ deliveries: 2, events: 0 })
      expect(await rowsIn(app.db, 'attempt')).toEqual([])
      expect(await rowsIn(app.db, 'webhook')).toMatchObject([{ id: other.id }])
      expect(await deliveriesTo(app, other)).toHaveLength(2)
    },
  )

  test('an attempt that ends after its webhook was purged leaves nothing behind', async () => {
    await using home = await stillApp(engine)
    const { app, organizationId } = home
    const held = holding()
    await using there = await receiver(held.answer)
    const webhook = await aRunWebhook(home, there.url)
    const sender = await startSender(app)
    await told(app, organizationId)
    await eventually(() => expect(there.got).toHaveLength(1))
    await deleteWebhook(app.db, webhook, app.clock())
    await purge(app)

    held.release()
    await sender[Symbol.asyncDispose]()
    await purge(app)

    expect(await rowsIn(app.db, 'webhook')).toEqual([])
    expect(await rowsIn(app.db, 'delivery')).toEqual([])
    expect(await rowsIn(app.db, 'attempt')).toEqual([])
  })

  test('0 days keep everything', async () => {
    await using home = await stillApp(engine, { EARSHOT_DELIVERY_RETENTION_DAYS: '0' })
    const { app, organizationId } = home
    await told(app, organizationId)
    await using there = await receiver()
    const webhook = await aRunWebhook(home, there.url)
    await using _sender = await startSender(app)
    await told(app, organizationId)
    const delivered = await deliveryIn(app, webhook, 'delivered')

    home.advance(days(9_000))

    expect(await purge(app)).toEqual({ deliveries: 0, events: 0 })
    expect(await rowsIn(app.db, 'event')).toHaveLength(2)
    expect(await logOf(app, delivered)).toHaveLength(1)
  })
})

function aRunWebhook(
  { app, organizationId }: StillApp,
  url = 'http://127.0.0.1:9/hook',
): Promise<MadeWebhook> {
  return aWebhook(app, organizationId, { url, events: ['crawl.run.completed'] })
}

async function sendTest({ app }: StillApp, webhook: MadeWebhook): Promise<void> {
  const { db, database } = app
  await testWebhook({ db, engine: database.engine, terms: await attemptTerms(app) }, webhook)
}

function purge(app: App) {
  return purgeDeliveries.run(app, new AbortController().signal)
}
