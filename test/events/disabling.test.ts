import { describe, expect, test } from 'vitest'
import { disableWebhook, enableWebhook } from '#src/events/enable-webhook.ts'
import { redeliver } from '#src/events/redeliver.ts'
import { testWebhook } from '#src/events/test-webhook.ts'
import { startSender } from '#src/jobs/sender.ts'
import { days } from '#src/lib/duration.ts'
import { attemptTerms } from '#src/webhook-context.ts'
import { ENGINES } from '#test/support/place.ts'
import { answering, holding, receiver, type Answering } from '#test/support/receiver.ts'
import { aRunWebhook, bystander, stillApp, type StillApp } from '#test/support/still-app.ts'
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

describe.concurrent.each(ENGINES)('disabling on %s', (engine) => {
  test('the twentieth consecutive failure, over several deliveries, disables with the reason in words', async () => {
    await using home = await stillApp(engine)
    await using there = await receiver(answering(503))
    await using other = await bystander(home)
    const webhook = await aRunWebhook(home, there.url)
    await using _sender = await startSender(home.app)

    await failed(home, webhook, 19)
    expect(await webhookNow(home.app, webhook)).toMatchObject({
      enabled: true,
      disabledReason: null,
      consecutiveFailures: 19,
    })
    await told(home.app, home.organizationId)
    const held = await allIn(home.app, webhook, ['held'])

    expect(await webhookNow(home.app, webhook)).toMatchObject({
      enabled: false,
      disabledReason: '20 consecutive failures; last: HTTP 503',
      disabledAt: home.app.clock(),
      consecutiveFailures: 20,
    })
    expect(held).toHaveLength(20)
    home.advance(days(3))
    await told(home.app, home.organizationId)
    await other.senderLooked()
    expect(there.got).toHaveLength(20)
    expect(await allIn(home.app, webhook, ['held'])).toHaveLength(21)
  })

  test('what a sender has at hand when it happens is held too, and every attempt is in the log', async () => {
    await using home = await stillApp(engine, { EARSHOT_WEBHOOK_CONCURRENCY: '1' })
    const [twentieth, later] = [holding(answering(500)), holding(answering(500))]
    await using there = await receiver((response, got, count) => {
      if (count < 20) response.writeHead(500).end()
      else (count === 20 ? twentieth : later).answer(response, got, count)
    })
    const webhook = await aRunWebhook(home, there.url)
    await using _sender = await startSender(home.app)
    await toldMany(home.app, home.organizationId, { count: 60 })
    await failures(home, webhook, 19)

    twentieth.release()
    await eventually(async () => {
      expect(await webhookNow(home.app, webhook)).toMatchObject({ enabled: false })
    })
    later.release()
    const held = await allIn(home.app, webhook, ['held'])

    expect(held).toHaveLength(60)
    // One may have been under way already.
    expect(there.got.length).toBeLessThanOrEqual(21)
    const logs = await Promise.all(held.map((delivery) => logOf(home.app, delivery)))
    expect(logs.flat()).toHaveLength(there.got.length)
    expect(held.map(({ attempts }) => attempts)).toEqual(logs.map((log) => log.length))
  })

  test('a success resets the count', async () => {
    await using home = await stillApp(engine)
    let status = 500
    await using there = await receiver((response) => void response.writeHead(status).end())
    const webhook = await aRunWebhook(home, there.url)
    await using _sender = await startSender(home.app)
    await failed(home, webhook, 19)

    status = 200
    await told(home.app, home.organizationId)
    await failures(home, webhook, 0)
    status = 500
    await failed(home, webhook, 19)

    expect(await webhookNow(home.app, webhook)).toMatchObject({
      enabled: true,
      lastSuccessAt: expect.any(Number),
      lastFailureAt: expect.any(Number),
    })
    expect(there.got).toHaveLength(39)
  })

  test('tests count for nothing, whatever they come to', async () => {
    await using home = await stillApp(engine)
    let status = 500
    await using there = await receiver((response) => void response.writeHead(status).end())
    const webhook = await aRunWebhook(home, there.url)
    await using _sender = await startSender(home.app)
    await failed(home, webhook, 19)

    await sendTest(home, webhook)
    await sendTest(home, webhook)
    status = 200
    await sendTest(home, webhook)

    expect(await webhookNow(home.app, webhook)).toMatchObject({
      enabled: true,
      consecutiveFailures: 19,
      lastSuccessAt: null,
    })
    expect(there.got).toHaveLength(22)
  })

  test('a redelivery that fails counts', async () => {
    await using home = await stillApp(engine)
    await using there = await receiver(answering(410))
    const webhook = await aRunWebhook(home, there.url)
    await using _sender = await startSender(home.app)
    await failed(home, webhook, 19)
    const [one] = await deliveriesTo(home.app, webhook)
    if (one === undefined) throw new Error('there is no delivery')

    await redeliver(home.app.db, one, home.app.clock())

    await allIn(home.app, webhook, ['held'])
    expect(await webhookNow(home.app, webhook)).toMatchObject({
      enabled: false,
      disabledReason: '20 consecutive failures; last: HTTP 410',
    })
  })

  test('while it is disabled by hand nothing is sent: what waited is held, and what happens meanwhile', async () => {
    await using home = await stillApp(engine)
    await using there = await receiver(answering(500))
    await using other = await bystander(home)
    const webhook = await aRunWebhook(home, there.url)
    await using _sender = await startSender(home.app)
    await told(home.app, home.organizationId)
    await deliveryIn(home.app, webhook, 'retrying')

    await disableWebhook(home.app.db, webhook, home.app.clock())
    home.advance(days(2))
    await told(home.app, home.organizationId)
    await other.senderLooked()

    expect(await webhookNow(home.app, webhook)).toMatchObject({
      enabled: false,
      disabledReason: 'Disabled by hand',
    })
    expect(await deliveriesTo(home.app, webhook)).toMatchObject([
      { state: 'held', attempts: 0, dueAt: null },
      { state: 'held', attempts: 1, dueAt: null },
    ])
    expect(there.got).toHaveLength(1)
  })

  test('enabling sends nothing by itself, counts from 0, and the next event is sent', async () => {
    await using home = await stillApp(engine)
    let status = 500
    await using there = await receiver((response) => void response.writeHead(status).end())
    await using other = await bystander(home)
    const webhook = await aRunWebhook(home, there.url)
    await using _sender = await startSender(home.app)
    await toldMany(home.app, home.organizationId, { count: 20 })
    await allIn(home.app, webhook, ['held'])
    status = 200

    await enableWebhook(home.app.db, webhook)
    home.advance(days(2))
    await other.senderLooked()

    expect(await webhookNow(home.app, webhook)).toMatchObject({
      enabled: true,
      disabledReason: null,
      disabledAt: null,
      consecutiveFailures: 0,
    })
    expect(await allIn(home.app, webhook, ['held'])).toHaveLength(20)
    expect(there.got).toHaveLength(20)
    const event = await told(home.app, home.organizationId)
    await eventually(async () => {
      const [newest] = await deliveriesTo(home.app, webhook)
      expect(newest).toMatchObject({ eventId: event.id, state: 'delivered' })
    })
    expect(there.got).toHaveLength(21)
  })

  test.each([
    { status: 200, state: 'delivered', outcome: 'delivered' },
    { status: 503, state: 'held', outcome: 'failed' },
  ] as const)(
    'an attempt that is under way when it is disabled by hand ends in the log: $status leaves it $state',
    async ({ status, state, outcome }) => {
      await using home = await stillApp(engine)
      const held = holding(answering(status))
      await using there = await receiver(held.answer)
      const webhook = await aRunWebhook(home, there.url)
      await using _sender = await startSender(home.app)
      await told(home.app, home.organizationId)
      await eventually(() => expect(there.got).toHaveLength(1))

      await disableWebhook(home.app.db, webhook, home.app.clock())
      expect(await deliveriesTo(home.app, webhook)).toMatchObject([{ state: 'sending' }])
      held.release()

      const delivery = await deliveryIn(home.app, webhook, state)
      expect(delivery).toMatchObject({ attempts: 1, dueAt: null, lastStatus: status })
      expect(await logOf(home.app, delivery)).toMatchObject([{ number: 1, outcome, status }])
      expect(await webhookNow(home.app, webhook)).toMatchObject({
        enabled: false,
        disabledReason: 'Disabled by hand',
      })
    },
  )

  test('nothing more is sent after it was disabled by hand, not even what a sender had at hand', async () => {
    await using home = await stillApp(engine, { EARSHOT_WEBHOOK_CONCURRENCY: '1' })
    const held = holding()
    await using there = await receiver(heldFrom(10, held.answer))
    await using other = await bystander(home)
    const webhook = await aRunWebhook(home, there.url)
    await using _sender = await startSender(home.app)
    await toldMany(home.app, home.organizationId, { count: 60 })
    await eventually(() => expect(there.got).toHaveLength(10))

    await disableWebhook(home.app.db, webhook, home.app.clock())
    // What it has at hand it gives back after a quarter of a second.
    await eventually(async () => {
      const waiting = await deliveriesTo(home.app, webhook)
      expect(waiting.filter(({ state }) => state === 'sending')).toHaveLength(1)
    })
    held.release()
    await allIn(home.app, webhook, ['delivered', 'held'])
    await other.senderLooked()

    expect(there.got).toHaveLength(10)
    const states = (await deliveriesTo(home.app, webhook)).map(({ state }) => state)
    expect(states.filter((state) => state === 'held')).toHaveLength(50)
  })
})

/** So many events, each of which fails once. */
async function failed(home: StillApp, webhook: MadeWebhook, count: number): Promise<void> {
  await toldMany(home.app, home.organizationId, { count })
  await failures(home, webhook, count)
  await allIn(home.app, webhook, ['retrying', 'delivered'])
}

async function failures({ app }: StillApp, webhook: MadeWebhook, count: number): Promise<void> {
  await eventually(async () => {
    expect(await webhookNow(app, webhook)).toMatchObject({ consecutiveFailures: count })
  })
}

async function sendTest({ app }: StillApp, webhook: MadeWebhook): Promise<void> {
  const { db, database } = app
  await testWebhook({ db, engine: database.engine, terms: await attemptTerms(app) }, webhook)
}

function heldFrom(first: number, later: Answering): Answering {
  return (response, got, count) => {
    if (count < first) response.writeHead(200).end()
    else later(response, got, count)
  }
}
