import { describe, expect, test } from 'vitest'
import { startSender } from '#src/jobs/sender.ts'
import { seconds } from '#src/lib/duration.ts'
import { ENGINES } from '#test/support/place.ts'
import { answering, holding, receiver } from '#test/support/receiver.ts'
import { aRunWebhook, bystander, stillApp } from '#test/support/still-app.ts'
import {
  allIn,
  deliveriesTo,
  eventually,
  toldMany,
  type MadeWebhook,
} from '#test/support/webhooks.ts'

describe.concurrent.each(ENGINES)('fairness on %s', (engine) => {
  test('while one receiver hangs, five others get everything', async () => {
    await using home = await stillApp(engine)
    const never = holding()
    await using others = new AsyncDisposableStack()
    const { app, organizationId } = home
    await using _sender = await startSender(app)
    await using hanging = await receiver(never.answer)
    const hung = await aRunWebhook(home, hanging.url)
    const healthy: MadeWebhook[] = []
    for (let index = 0; index < 5; index += 1) {
      const there = others.use(await receiver())
      healthy.push(await aRunWebhook(home, there.url))
    }

    await toldMany(app, organizationId, { count: 50 })

    for (const webhook of healthy) {
      expect(await allIn(app, webhook, ['delivered'])).toHaveLength(50)
    }
    // It got as many as may be under way, and none of them has ended.
    await eventually(() => expect(hanging.got).toHaveLength(10))
    const states = (await deliveriesTo(app, hung)).map(({ state }) => state)
    expect(states.filter((state) => state === 'sending')).toHaveLength(10)
    expect(states.filter((state) => state === 'pending')).toHaveLength(40)
    never.release()
    expect(await allIn(app, hung, ['delivered'])).toHaveLength(50)
  })

  test('at one webhook so many are under way at a time as is set, and no more', async () => {
    await using home = await stillApp(engine, { EARSHOT_WEBHOOK_CONCURRENCY: '3' })
    const { app, organizationId } = home
    await using other = await bystander(home)
    // Slow enough that whatever is under way together is seen together.
    const first = holding((response) => void setTimeout(() => response.end(), 30))
    const open = { now: 0, most: 0 }
    await using _sender = await startSender(app)
    await using there = await receiver((response, got, count) => {
      open.now += 1
      open.most = Math.max(open.most, open.now)
      response.once('close', () => (open.now -= 1))
      first.answer(response, got, count)
    })
    const webhook = await aRunWebhook(home, there.url)

    await toldMany(app, organizationId, { count: 60 })
    await eventually(() => expect(there.got).toHaveLength(3))
    await other.senderLooked()
    expect(there.got).toHaveLength(3)
    first.release()
    expect(await allIn(app, webhook, ['delivered'])).toHaveLength(60)

    expect(open.most).toBe(3)
  })

  test('a webhook is sent to at the pace that is set: a burst, and then as time passes', async () => {
    const slow = { EARSHOT_WEBHOOK_PACE: '6', EARSHOT_WEBHOOK_CONCURRENCY: '2' }
    await using home = await stillApp(engine, slow)
    const { app, organizationId } = home
    await using there = await receiver(answering(200))
    await using other = await bystander(home)
    const webhook = await aRunWebhook(home, there.url)
    await using _sender = await startSender(app)

    await toldMany(app, organizationId, { count: 20 })

    for (const sent of [6, 12, 18]) {
      await eventually(() => expect(there.got).toHaveLength(sent))
      await other.senderLooked()
      expect(there.got).toHaveLength(sent)
      home.advance(seconds(1))
    }
    expect(await allIn(app, webhook, ['delivered'])).toHaveLength(20)
    expect(there.got).toHaveLength(20)
  })

  test('a pace of 0 sends as fast as it can', async () => {
    await using home = await stillApp(engine, { EARSHOT_WEBHOOK_PACE: '0' })
    const { app, organizationId } = home
    await using there = await receiver()
    const webhook = await aRunWebhook(home, there.url)
    await using _sender = await startSender(app)

    await toldMany(app, organizationId, { count: 300 })

    expect(await allIn(app, webhook, ['delivered'])).toHaveLength(300)
  })
})
