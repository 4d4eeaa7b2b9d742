import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { startSender } from '#src/jobs/sender.ts'
import { ENGINES } from '#test/support/place.ts'
import { receiver } from '#test/support/receiver.ts'
import { testApp } from '#test/support/test-app.ts'
import { aWebhook, deliveryIn, logOf, told } from '#test/support/webhooks.ts'

describe.each(ENGINES)('sending on %s', (engine) => {
  test('an event that was told is delivered, signed, and is in the log', async () => {
    await using home = await testApp(engine)
    await using there = await receiver()
    const { app, owner } = home
    const webhook = await aWebhook(app, owner.organizationId, { url: there.url })
    await using _sender = await startSender(app)

    const event = await told(app, owner.organizationId)

    const delivery = await deliveryIn(app, webhook, 'delivered')
    expect(delivery).toMatchObject({ attempts: 1, lastStatus: 200, eventId: event.id })
    expect(await logOf(app, delivery)).toMatchObject([
      { number: 1, outcome: 'delivered', status: 200, error: null, snippet: 'thanks' },
    ])
    const [got] = there.got
    expect(got?.body.toString()).toBe(event.body)
    const timestamp = String(got?.headers['service-timestamp'])
    const signature = createHmac('sha256', webhook.secret)
      .update(`${timestamp}.${event.body}`)
      .digest('hex')
    expect(got?.headers['service-signature']).toBe(`v1=${signature}`)
  })
})
