import { describe, expect, test } from 'vitest'
import type { App } from '#src/app.ts'
import type { Claimed, Outcome } from '#src/events/delivery.ts'
import { insertDeliveries } from '#src/events/delivery-store.ts'
import { insertEvents } from '#src/events/event-store.ts'
import { recoverAbandoned } from '#src/events/recover-abandoned.ts'
import { sampleEvent } from '#src/events/sample-event.ts'
import { claimDue, keepAlive } from '#src/events/sending-store.ts'
import { settleAttempts } from '#src/events/settle-attempts.ts'
import { startSender } from '#src/jobs/sender.ts'
import { seconds } from '#src/lib/duration.ts'
import { newId } from '#src/lib/id.ts'
import { ENGINES } from '#test/support/place.ts'
import { answering, holding, receiver } from '#test/support/receiver.ts'
import { aRunWebhook, bystander, stillApp, type StillApp } from '#test/support/still-app.ts'
import { rowsIn } from '#test/support/watching.ts'
import {
  allIn,
  deliveriesTo,
  deliveryIn,
  eventually,
  logOf,
  told,
  toldMany,
  webhookNow,
  type MadeWebhook,
} from '#test/support/webhooks.ts'

const GONE = 'snd_gone'
const FAILED: Omit<Outcome, 'startedAt'> = {
  ok: false,
  status: 500,
  error: 'HTTP 500',
  snippet: 'late',
  retryAfterMs: null,
  durationMs: 5,
}

describe.concurrent.each(ENGINES)('recovering on %s', (engine) => {
  test('what a process that is gone had in its hands is sent again with the same id, and the log says so', async () => {
    await using home = await stillApp(engine)
    const { app } = home
    await using there = await receiver()
    const webhook = await aRunWebhook(home, there.url)
    const event = await told(app, home.organizationId)
    await claimedBy(home, webhook, GONE)

    await using _sender = await startSender(app)

    const delivery = await deliveryIn(app, webhook, 'delivered')
    expect(delivery).toMatchObject({ attempts: 2, eventId: event.id })
    expect(await logOf(app, delivery)).toMatchObject([
      { number: 1, outcome: 'interrupted', status: null, error: expect.any(String) },
      { number: 2, outcome: 'delivered', status: 200, error: null },
    ])
    expect(there.got.map(({ headers }) => headers['webhook-id'])).toEqual([event.id])
    expect(there.got.map(({ body }) => body.toString())).toEqual([event.body])
    // Nobody knows whether the receiver failed.
    expect(await webhookNow(app, webhook)).toMatchObject({ consecutiveFailures: 0 })
  })

  test('what a process that is alive has in its hands is left to it, until it is not any more', async () => {
    await using home = await stillApp(engine)
    const { app } = home
    await using there = await receiver()
    await using other = await bystander(home)
    const webhook = await aRunWebhook(home, there.url)
    await keepAlive(app.db, 'snd_alive', app.clock() + seconds(15))
    await told(app, home.organizationId)
    await claimedBy(home, webhook, 'snd_alive')

    await using _sender = await startSender(app)
    await other.senderLooked()
    expect(await deliveriesTo(app, webhook)).toMatchObject([{ state: 'sending', attempts: 1 }])
    home.advance(seconds(15) + 1)
    await recoverAbandoned(app.db, app.clock())

    expect(await deliveryIn(app, webhook, 'delivered')).toMatchObject({ attempts: 2 })
    expect(there.got).toHaveLength(1)
  })

  test('what is recovered for a webhook that was disabled meanwhile is held', async () => {
    await using home = await stillApp(engine)
    const { app } = home
    await using there = await receiver()
    const webhook = await aRunWebhook(home, there.url)
    await told(app, home.organizationId)
    await claimedBy(home, webhook, GONE)
    await app.db.updateTable('webhook').set({ enabled: 0 }).execute()

    await using _sender = await startSender(app)

    const held = await deliveryIn(app, webhook, 'held')
    expect(await logOf(app, held)).toMatchObject([{ number: 1, outcome: 'interrupted' }])
    expect(there.got).toEqual([])
  })

  test('a slow process that comes back does not undo what another did, and completes the log', async () => {
    await using home = await stillApp(engine)
    const { app } = home
    await using there = await receiver()
    const webhook = await aRunWebhook(home, there.url)
    await told(app, home.organizationId)
    const claimed = await claimedBy(home, webhook, GONE)
    await using _sender = await startSender(app)
    const delivered = await deliveryIn(app, webhook, 'delivered')

    await settled(app, claimed, GONE)

    expect(await deliveriesTo(app, webhook)).toEqual([delivered])
    expect(await logOf(app, delivered)).toMatchObject([
      { number: 1, outcome: 'failed', status: 500, snippet: 'late' },
      { number: 2, outcome: 'delivered', status: 200 },
    ])
  })

  test('a slow process that comes back takes nothing out of the hands of another', async () => {
    await using home = await stillApp(engine)
    const { app } = home
    const held = holding()
    await using there = await receiver(held.answer)
    const webhook = await aRunWebhook(home, there.url)
    await told(app, home.organizationId)
    const claimed = await claimedBy(home, webhook, GONE)
    await using _sender = await startSender(app)
    await eventually(() => expect(there.got).toHaveLength(1))

    await settled(app, claimed, GONE)

    expect(await deliveriesTo(app, webhook)).toMatchObject([{ state: 'sending', attempts: 2 }])
    held.release()
    expect(await deliveryIn(app, webhook, 'delivered')).toMatchObject({ attempts: 2 })
    expect(there.got).toHaveLength(1)
  })

  test('a slow process that got it back itself settles only the attempt it has now', async () => {
    await using home = await stillApp(engine)
    const { app } = home
    const webhook = await aRunWebhook(home, 'http://127.0.0.1:9/hook')
    await told(app, home.organizationId)
    const first = await claimedBy(home, webhook, GONE)
    await recoverAbandoned(app.db, app.clock())
    const second = await claimedBy(home, webhook, GONE)

    await settled(app, first, GONE)
    expect(await deliveriesTo(app, webhook)).toMatchObject([{ state: 'sending', attempts: 2 }])
    await settled(app, second, GONE)

    const delivery = await deliveryIn(app, webhook, 'retrying')
    expect(await logOf(app, delivery)).toMatchObject([
      { number: 1, outcome: 'failed' },
      { number: 2, outcome: 'failed' },
    ])
  })

  test('a test whose process died has failed, and is not sent again', async () => {
    await using home = await stillApp(engine)
    const { app } = home
    await using there = await receiver()
    await using other = await bystander(home)
    const webhook = await aRunWebhook(home, there.url)
    await aTestOf(app, webhook, 'tst_gone')

    await using _sender = await startSender(app)

    const failed = await deliveryIn(app, webhook, 'failed')
    expect(failed).toMatchObject({ isTest: true, dueAt: null })
    expect(await logOf(app, failed)).toMatchObject([
      { number: 1, outcome: 'interrupted', isTest: true },
    ])
    home.advance(seconds(100_000))
    await other.senderLooked()
    expect(there.got).toEqual([])
    expect(await webhookNow(app, webhook)).toMatchObject({ consecutiveFailures: 0 })
  })

  test('two senders on one database send nothing twice', async () => {
    await using home = await stillApp(engine, { EARSHOT_WEBHOOK_PACE: '0' })
    await using there = await receiver()
    const webhook = await aRunWebhook(home, there.url)
    const other = await home.another()
    const events = await toldMany(home.app, home.organizationId, { count: 250 })
    await using _first = await startSender(home.app)
    await using _second = await startSender(other)
    const more = await toldMany(home.app, home.organizationId, { count: 250 })

    await eventually(async () => {
      expect(await allIn(home.app, webhook, ['delivered'])).toHaveLength(500)
    })

    const ids = there.got.map(({ headers }) => headers['webhook-id'])
    expect(ids.sort()).toEqual([...events, ...more].map(({ id }) => id).sort())
    const log = await rowsIn(home.app.db, 'attempt')
    expect(new Set(log.map(({ number, outcome }) => `${number} ${outcome}`))).toEqual(
      new Set(['1 delivered']),
    )
    expect(log).toHaveLength(500)
  })

  test('a sender that stops finishes what is under way, and gives back what it has not begun', async () => {
    await using home = await stillApp(engine, { EARSHOT_WEBHOOK_CONCURRENCY: '1' })
    const { app } = home
    const held = holding()
    await using there = await receiver((response, got, count) => {
      if (count < 10) response.writeHead(200).end()
      else held.answer(response, got, count)
    })
    const webhook = await aRunWebhook(home, there.url)
    const sender = await startSender(app)
    await toldMany(app, home.organizationId, { count: 40 })
    await eventually(() => expect(there.got).toHaveLength(10))
    await eventually(async () => expect(await sendingIn(app)).not.toHaveLength(1))

    const stopping = sender[Symbol.asyncDispose]()
    await eventually(async () => expect(await sendingIn(app)).toHaveLength(1))
    held.release()
    await stopping

    const deliveries = (await deliveriesTo(app, webhook)).toReversed()
    expect(deliveries.map(({ state, attempts }) => `${state} ${attempts}`)).toEqual([
      ...Array.from({ length: 10 }, () => 'delivered 1'),
      ...Array.from({ length: 30 }, () => 'pending 0'),
    ])
    expect(there.got).toHaveLength(10)
    expect(await rowsIn(app.db, 'sender')).toEqual([])
    expect(await rowsIn(app.db, 'attempt')).toHaveLength(10)
  })

  test('a sender that loses patience when it stops leaves what is under way to the next', async () => {
    await using home = await stillApp(engine, { EARSHOT_SHUTDOWN_TIMEOUT_MS: '0' })
    const { app } = home
    const never = holding(answering(500))
    await using there = await receiver((response, got, count) => {
      if (count > 1) response.writeHead(200).end()
      else never.answer(response, got, count)
    })
    const webhook = await aRunWebhook(home, there.url)
    const sender = await startSender(app)
    await told(app, home.organizationId)
    await eventually(() => expect(there.got).toHaveLength(1))

    await sender[Symbol.asyncDispose]()
    await using _next = await startSender(app)

    const delivered = await deliveryIn(app, webhook, 'delivered')
    expect(await logOf(app, delivered)).toMatchObject([
      { number: 1, outcome: 'interrupted' },
      { number: 2, outcome: 'delivered' },
    ])
    const ids = there.got.map(({ headers }) => headers['webhook-id'])
    expect(ids).toEqual([delivered.eventId, delivered.eventId])
  })
})

/** The one that is due, in the hands of a process that may be there or not. */
async function claimedBy(
  { app: { db, database, clock } }: StillApp,
  webhook: MadeWebhook,
  senderId: string,
): Promise<Claimed> {
  const terms = { webhooks: [{ ...webhook, most: 1 }], senderId, now: clock() }
  const [claimed] = await claimDue(db, database.engine, terms)
  if (claimed === undefined) throw new Error('nothing was due')
  return claimed
}

async function sendingIn({ db }: App): Promise<{ id: string }[]> {
  return db.selectFrom('delivery').select('id').where('sender_id', 'is not', null).execute()
}

/** The attempt ends after all, in failure. */
async function settled(
  { db, database, clock }: App,
  claimed: Claimed,
  senderId: string,
): Promise<void> {
  const outcome = { ...FAILED, startedAt: clock() }
  const terms = { engine: database.engine, senderId, now: clock() }
  await settleAttempts(db, [{ claimed, outcome }], terms)
}

async function aTestOf(
  { db, clock }: App,
  { organizationId, id: webhookId }: MadeWebhook,
  senderId: string,
): Promise<void> {
  const now = clock()
  const event = sampleEvent(organizationId, 'crawl.run.completed', now)
  const { id: eventId, kind } = event
  const delivery = {
    organizationId,
    id: newId('dlv', now),
    webhookId,
    eventId,
    kind,
    isTest: true,
    state: 'sending' as const,
    dueAt: null,
    createdAt: now,
    senderId,
  }
  await db.transaction().execute(async (trx) => {
    await insertEvents(trx, [event])
    await insertDeliveries(trx, [delivery])
  })
}
