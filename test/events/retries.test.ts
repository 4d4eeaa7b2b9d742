import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Delivery } from '#src/events/delivery-store.ts'
import { presentDelivery } from '#src/events/present-delivery.ts'
import { redeliver } from '#src/events/redeliver.ts'
import { startSender } from '#src/jobs/sender.ts'
import { days, hours, minutes, seconds } from '#src/lib/duration.ts'
import { isoTime } from '#src/lib/iso-time.ts'
import { ENGINES } from '#test/support/place.ts'
import { answering, receiver, type Answering } from '#test/support/receiver.ts'
import { aRunWebhook, bystander, stillApp, type StillApp } from '#test/support/still-app.ts'
import {
  deliveryIn,
  eventually,
  deliveriesTo,
  logOf,
  told,
  type MadeWebhook,
} from '#test/support/webhooks.ts'

/** As the decisions say. */
const DELAYS_MS = [
  seconds(5),
  seconds(30),
  minutes(2),
  minutes(10),
  minutes(30),
  hours(2),
  hours(5),
  hours(10),
  hours(20),
]

describe.concurrent.each(ENGINES)('retries on %s', (engine) => {
  test('a delivery that always fails is tried ten times, after waits that grow as the schedule says', async () => {
    await using home = await stillApp(engine)
    await using there = await receiver(answering(500, 'no'))
    await using other = await bystander(home)
    const webhook = await aRunWebhook(home, there.url)
    await using _sender = await startSender(home.app)

    await told(home.app, home.organizationId)
    const waits = await waitsUntilItEnds(home, webhook)

    expect(waits).toHaveLength(DELAYS_MS.length)
    for (const [index, delayMs] of DELAYS_MS.entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(delayMs)
      expect(waits[index]).toBeLessThanOrEqual(delayMs * 1.2)
    }
    expect(waits).toEqual([...new Set(waits)].sort((a, b) => a - b))
    const failed = await deliveryIn(home.app, webhook, 'failed')
    expect(failed).toMatchObject({ attempts: 10, dueAt: null, lastStatus: 500 })
    expect(await logOf(home.app, failed)).toMatchObject(
      Array.from({ length: 10 }, (_, index) => ({
        number: index + 1,
        outcome: 'failed',
        status: 500,
        error: 'HTTP 500',
      })),
    )

    home.advance(days(20))
    await other.senderLooked()

    expect(there.got).toHaveLength(10)
    expect(await deliveriesTo(home.app, webhook)).toEqual([failed])
  })

  test('nothing is sent before the time that is told, and it is sent at that time', async () => {
    await using home = await stillApp(engine)
    await using there = await receiver(answering(503))
    await using other = await bystander(home)
    const webhook = await aRunWebhook(home, there.url)
    await using _sender = await startSender(home.app)
    await told(home.app, home.organizationId)

    for (const attempts of [1, 2, 3]) {
      const waiting = await attempted(home, webhook, attempts)
      const dueAt = waiting.dueAt ?? 0
      expect(presentDelivery(waiting).nextAttemptAt).toBe(isoTime(dueAt))

      home.advance(dueAt - home.app.clock() - 1)
      await other.senderLooked()

      expect(await deliveriesTo(home.app, webhook)).toEqual([waiting])
      expect(there.got).toHaveLength(attempts)
      home.advance(1)
    }

    expect(await attempted(home, webhook, 4)).toMatchObject({ lastAttemptAt: home.app.clock() })
    expect(there.got).toHaveLength(4)
  })

  test('a success ends it', async () => {
    await using home = await stillApp(engine)
    await using there = await receiver(failingUntil(3))
    await using other = await bystander(home)
    const webhook = await aRunWebhook(home, there.url)
    await using _sender = await startSender(home.app)

    await told(home.app, home.organizationId)
    await waitsUntilItEnds(home, webhook)

    const delivered = await deliveryIn(home.app, webhook, 'delivered')
    expect(delivered).toMatchObject({ attempts: 3, dueAt: null, lastStatus: 200, lastError: null })
    expect(await logOf(home.app, delivered)).toMatchObject([
      { number: 1, outcome: 'failed', status: 503 },
      { number: 2, outcome: 'failed', status: 503 },
      { number: 3, outcome: 'delivered', status: 200 },
    ])
    home.advance(days(2))
    await other.senderLooked()
    expect(there.got).toHaveLength(3)
  })

  test('every attempt carries the same bytes and ids, and a signature of its own time', async () => {
    await using home = await stillApp(engine)
    await using there = await receiver(failingUntil(4))
    const webhook = await aRunWebhook(home, there.url)
    await using _sender = await startSender(home.app)
    const event = await told(home.app, home.organizationId)

    const times: string[] = []
    for (const attempts of [1, 2, 3]) {
      const { dueAt } = await attempted(home, webhook, attempts)
      times.push(unixSeconds(home))
      home.advance((dueAt ?? 0) - home.app.clock())
    }
    await deliveryIn(home.app, webhook, 'delivered')
    times.push(unixSeconds(home))

    expect(there.got.map(({ body }) => body.toString())).toEqual(times.map(() => event.body))
    const headers = there.got.map((got) => got.headers)
    expect(headers.map((one) => one['webhook-id'])).toEqual(times.map(() => event.id))
    expect(headers.map((one) => one['service-timestamp'])).toEqual(times)
    expect(headers.map((one) => one['webhook-timestamp'])).toEqual(times)
    expect(headers.map((one) => one['service-signature'])).toEqual(
      times.map((time) => signature(webhook, time, event.body)),
    )
    expect(new Set(times).size).toBe(4)
  })

  test('Retry-After lengthens the wait, and no later wait is shorter', async () => {
    await using home = await stillApp(engine)
    await using there = await receiver((response, _got, count) => {
      const wish: Record<string, string> = count === 1 ? { 'retry-after': '900' } : {}
      response.writeHead(429, wish).end()
    })
    const webhook = await aRunWebhook(home, there.url)
    await using _sender = await startSender(home.app)

    await told(home.app, home.organizationId)
    const waits = await waitsUntilItEnds(home, webhook)

    expect(waits[0]).toBe(minutes(15))
    expect(waits).toEqual([...new Set(waits)].sort((a, b) => a - b))
    // The schedule is longer again from the fifth on.
    expect(waits[3]).toBeLessThan(minutes(16))
    expect(waits[4]).toBeGreaterThanOrEqual(minutes(30))
    expect(there.got).toHaveLength(10)
  })

  test('Retry-After is not believed beyond a day, and shortens nothing', async () => {
    await using home = await stillApp(engine)
    await using there = await receiver((response, _got, count) => {
      response.writeHead(503, { 'retry-after': count === 1 ? '1' : '9999999' }).end()
    })
    const webhook = await aRunWebhook(home, there.url)
    await using _sender = await startSender(home.app)
    await told(home.app, home.organizationId)

    const first = await attempted(home, webhook, 1)
    const firstWait = (first.dueAt ?? 0) - home.app.clock()
    home.advance(firstWait)
    const second = await attempted(home, webhook, 2)

    expect(firstWait).toBeGreaterThanOrEqual(seconds(5))
    expect(second.dueAt).toBe(home.app.clock() + days(1))
  })

  test('after a redelivery the numbers go on, and the schedule begins anew', async () => {
    await using home = await stillApp(engine)
    await using there = await receiver(answering(500))
    const webhook = await aRunWebhook(home, there.url)
    await using _sender = await startSender(home.app)
    await told(home.app, home.organizationId)
    await waitsUntilItEnds(home, webhook)
    const failed = await deliveryIn(home.app, webhook, 'failed')

    await redeliver(home.app.db, failed, home.app.clock())

    const again = await attempted(home, webhook, 11)
    expect(again).toMatchObject({ id: failed.id, eventId: failed.eventId })
    const waitMs = (again.dueAt ?? 0) - home.app.clock()
    expect(waitMs).toBeGreaterThanOrEqual(seconds(5))
    expect(waitMs).toBeLessThanOrEqual(seconds(6))
    expect((await logOf(home.app, again)).map(({ number }) => number)).toEqual(
      Array.from({ length: 11 }, (_, index) => index + 1),
    )
    expect(new Set(there.got.map(({ body }) => body.toString())).size).toBe(1)
  })
})

function failingUntil(success: number): Answering {
  return (response, _got, count) => void response.writeHead(count < success ? 503 : 200).end()
}

/** The delivery, when so many attempts have ended and it waits for the next. */
function attempted({ app }: StillApp, webhook: MadeWebhook, attempts: number): Promise<Delivery> {
  return eventually(async () => {
    const [delivery] = await deliveriesTo(app, webhook)
    expect(delivery).toMatchObject({ state: 'retrying', attempts })
    if (delivery === undefined) throw new Error('there is no delivery')
    return delivery
  })
}

/** Lets the time pass from attempt to attempt; returns how long each wait was. */
async function waitsUntilItEnds(home: StillApp, webhook: MadeWebhook): Promise<number[]> {
  const waits: number[] = []
  for (;;) {
    const delivery = await eventually(async () => {
      const [one] = await deliveriesTo(home.app, webhook)
      if (one === undefined) throw new Error('there is no delivery')
      expect(one.attempts).toBe(waits.length + 1)
      expect(one.state).not.toBe('sending')
      return one
    })
    if (delivery.dueAt === null) return waits
    const waitMs = delivery.dueAt - home.app.clock()
    waits.push(waitMs)
    home.advance(waitMs)
  }
}

function unixSeconds({ app }: StillApp): string {
  return String(Math.floor(app.clock() / 1_000))
}

/** Made here from the document alone. */
function signature({ secret }: MadeWebhook, time: string, body: string): string {
  return `v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`
}
