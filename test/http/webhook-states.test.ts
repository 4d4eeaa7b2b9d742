// Disabling, enabling and testing by hand.

import { describe, expect, test } from 'vitest'
import { GetDelivery, GetWebhookHealth, TestWebhook } from '#src/contract/delivery.ts'
import { EVENT_BODIES, EVENT_KINDS } from '#src/contract/event.ts'
import { DisableWebhook, EnableWebhook, GetWebhook } from '#src/contract/webhook.ts'
import { startSender } from '#src/jobs/sender.ts'
import { days, minutes } from '#src/lib/duration.ts'
import { isoTime } from '#src/lib/iso-time.ts'
import { dataOf, invalidPaths } from '#test/support/answers.ts'
import { expectFailure, type Client } from '#test/support/client.ts'
import { signedIn } from '#test/support/people.ts'
import { ENGINES } from '#test/support/place.ts'
import { answering, receiver } from '#test/support/receiver.ts'
import { testApp } from '#test/support/test-app.ts'
import {
  attemptsEnd,
  aWebhook,
  deliveriesTo,
  deliveryIn,
  eventually,
  told,
} from '#test/support/webhooks.ts'

const FAILED = { ok: false, status: 503, error: 'HTTP 503' }

describe.each(ENGINES)('the states of a webhook on %s', (engine) => {
  describe('disabling', () => {
    test('says since when and why, and holds what waits and what happens from then on', async () => {
      await using home = await testApp(engine)
      const { app, owner } = home
      const client = await signedIn(home)
      const webhook = await aWebhook(app, owner.organizationId, { url: 'http://127.0.0.1:9/' })
      await told(app, owner.organizationId)
      await attemptsEnd(app, webhook, FAILED)
      await told(app, owner.organizationId)
      expect(await statesOf()).toEqual(['pending', 'retrying'])
      const before = dataOf(await client.get(`/api/webhooks/${webhook.id}`), GetWebhook)

      const answer = await client.send('POST', `/api/webhooks/${webhook.id}/disable`)
      await told(app, owner.organizationId)

      expect(dataOf(answer, DisableWebhook)).toEqual({
        ...before,
        consecutiveFailures: 1,
        enabled: false,
        disabledReason: 'Disabled by hand',
        disabledAt: expect.any(String),
      })
      const { disabledAt } = dataOf(answer, DisableWebhook)
      expect(String(disabledAt) >= String(before.lastFailureAt)).toBe(true)
      expect(String(disabledAt) <= isoTime(app.clock())).toBe(true)
      expect(await statesOf()).toEqual(['held', 'held', 'held'])
      const waiting = (await deliveriesTo(app, webhook)).filter(({ dueAt }) => dueAt !== null)
      expect(waiting).toEqual([])

      async function statesOf(): Promise<string[]> {
        return (await deliveriesTo(app, webhook)).map(({ state }) => state)
      }
    })

    test('nothing is sent while it is disabled, and others are', async () => {
      await using home = await testApp(engine)
      await using there = await receiver()
      const { app, owner } = home
      const client = await signedIn(home)
      const webhook = await aWebhook(app, owner.organizationId, { url: `${there.url}/disabled` })
      await told(app, owner.organizationId)
      const other = await aWebhook(app, owner.organizationId, { url: `${there.url}/other` })

      await client.send('POST', `/api/webhooks/${webhook.id}/disable`)
      await using _sender = await startSender(app)
      await told(app, owner.organizationId)
      await deliveryIn(app, other, 'delivered')
      home.advance(days(2))
      await told(app, owner.organizationId)

      await eventually(async () => {
        const states = (await deliveriesTo(app, other)).map(({ state }) => state)
        expect(states).toEqual(['delivered', 'delivered'])
      })
      expect(there.got.map(({ path }) => path)).toEqual(['/hook/other', '/hook/other'])
      const held = await deliveriesTo(app, webhook)
      expect(held.map(({ state, attempts }) => [state, attempts])).toEqual([
        ['held', 0],
        ['held', 0],
        ['held', 0],
      ])
    })
  })

  describe('enabling', () => {
    test('forgets why it was disabled and how often it failed, and sends only what comes', async () => {
      await using home = await testApp(engine)
      await using there = await receiver()
      const { app, owner } = home
      const client = await signedIn(home)
      const webhook = await aWebhook(app, owner.organizationId, { url: there.url })
      await told(app, owner.organizationId)
      await attemptsEnd(app, webhook, FAILED)
      await client.send('POST', `/api/webhooks/${webhook.id}/disable`)
      const before = dataOf(await client.get(`/api/webhooks/${webhook.id}`), GetWebhook)
      await using _sender = await startSender(app)

      const answer = await client.send('POST', `/api/webhooks/${webhook.id}/enable`)
      home.advance(days(1))
      const event = await told(app, owner.organizationId)

      expect(dataOf(answer, EnableWebhook)).toEqual({
        ...before,
        enabled: true,
        disabledReason: null,
        disabledAt: null,
        consecutiveFailures: 0,
      })
      await eventually(async () => {
        const states = (await deliveriesTo(app, webhook)).map(({ state }) => state)
        expect(states).toEqual(['delivered', 'held'])
      })
      expect(there.got.map(({ headers }) => headers['webhook-id'])).toEqual([event.id])
    })
  })

  describe('testing', () => {
    test('answers with what the receiver answered', async () => {
      await using home = await testApp(engine)
      await using there = await receiver(answering(202, 'héllo 漢字'))
      const { app, owner } = home
      const client = await signedIn(home)
      const { id } = await aWebhook(app, owner.organizationId, { url: there.url })
      const before = isoTime(app.clock())

      const answer = await client.post(`/api/webhooks/${id}/test`, { event: 'alert.fired' })

      expect(answer.body.data).toEqual({
        deliveryId: expect.stringMatching(/^dlv_/),
        attempt: {
          number: 1,
          outcome: 'delivered',
          statusCode: 202,
          error: null,
          responseSnippet: 'héllo 漢字',
          durationMs: expect.any(Number),
          at: expect.any(String),
          test: true,
        },
      })
      const { at, durationMs } = dataOf(answer, TestWebhook).attempt
      expect(at >= before && at <= isoTime(app.clock())).toBe(true)
      expect(Number.isInteger(durationMs) && durationMs >= 0).toBe(true)
    })

    test('sends the chosen kind, or else the first that the webhook wants, as it is published', async () => {
      await using home = await testApp(engine)
      await using there = await receiver()
      const { app, owner } = home
      const client = await signedIn(home)
      const { organizationId } = owner
      const events = ['curation.batch.ready', 'alert.fired'] as const
      const { id } = await aWebhook(app, organizationId, { url: there.url, events })

      for (const event of EVENT_KINDS) await tested(client, id, { event })
      await tested(client, id, {})
      await tested(client, id)

      const kinds = [...EVENT_KINDS, events[0], events[0]]
      expect(there.got).toHaveLength(kinds.length)
      for (const [index, kind] of kinds.entries()) {
        const { body, headers } = there.got[index] ?? expect.fail()
        const parsed = EVENT_BODIES[kind].parse(JSON.parse(body.toString()))
        expect(parsed).toMatchObject('event' in parsed ? { event: kind } : { type: kind })
        expect(JSON.stringify(parsed)).toContain(organizationId)
        expect(headers['webhook-id']).toBe('event' in parsed ? parsed.event_id : parsed.id)
      }
    })

    test('is in the log as a test, with the bytes that were sent', async () => {
      await using home = await testApp(engine)
      await using there = await receiver(answering(500, 'no'))
      const { app, owner } = home
      const client = await signedIn(home)
      const webhook = await aWebhook(app, owner.organizationId, { url: there.url })

      const { deliveryId, attempt } = await tested(client, webhook.id, { event: 'alert.fired' })

      const delivery = dataOf(await client.get(`/api/deliveries/${deliveryId}`), GetDelivery)
      expect(delivery).toEqual({
        id: deliveryId,
        webhookId: webhook.id,
        eventId: there.got[0]?.headers['webhook-id'],
        eventKind: 'alert.fired',
        test: true,
        state: 'failed',
        attempts: 1,
        lastStatusCode: 500,
        lastError: 'HTTP 500',
        lastAttemptAt: attempt.at,
        nextAttemptAt: null,
        createdAt: expect.any(String),
        body: there.got[0]?.body.toString(),
        log: [attempt],
      })
      expect(attempt).toMatchObject({ outcome: 'failed', error: 'HTTP 500', responseSnippet: 'no' })
    })

    test('says in words why there was no answer', async () => {
      await using home = await testApp(engine)
      const { app, owner } = home
      const client = await signedIn(home)
      const gone = await receiver()
      await gone[Symbol.asyncDispose]()
      const { id } = await aWebhook(app, owner.organizationId, { url: gone.url })

      const { attempt } = await tested(client, id)

      const nothing = { statusCode: null, responseSnippet: '' }
      expect(attempt).toMatchObject({ outcome: 'failed', error: 'Connection refused', ...nothing })
    })

    test('works while disabled, is never tried again, and counts for nothing', async () => {
      await using home = await testApp(engine)
      await using there = await receiver(answering(503))
      const { app, owner } = home
      const client = await signedIn(home)
      const webhook = await aWebhook(app, owner.organizationId, { url: there.url })
      await told(app, owner.organizationId)
      await attemptsEnd(app, webhook, FAILED)
      const before = await healthAndState(client, webhook.id)

      for (let count = 0; count < 20; count += 1) await tested(client, webhook.id)
      const after = await healthAndState(client, webhook.id)
      await client.send('POST', `/api/webhooks/${webhook.id}/disable`)
      await tested(client, webhook.id)
      home.advance(days(2))
      await using _sender = await startSender(app)
      const other = await aWebhook(app, owner.organizationId, { url: there.url })
      await told(app, owner.organizationId)
      await deliveryIn(app, other, 'retrying')

      expect(after).toEqual(before)
      expect(there.got).toHaveLength(22)
      const tests = (await deliveriesTo(app, webhook)).filter(({ isTest }) => isTest)
      expect(tests.map(({ state, attempts }) => [state, attempts])).toEqual(
        tests.map(() => ['failed', 1]),
      )
    })

    test('one that arrives does not make up for what failed', async () => {
      await using home = await testApp(engine)
      await using there = await receiver()
      const { app, owner } = home
      const client = await signedIn(home)
      const webhook = await aWebhook(app, owner.organizationId, { url: there.url })
      await told(app, owner.organizationId)
      await attemptsEnd(app, webhook, FAILED)
      const before = await healthAndState(client, webhook.id)

      home.advance(minutes(1))
      await tested(client, webhook.id)

      expect(await healthAndState(client, webhook.id)).toEqual(before)
      expect(before).toMatchObject({ webhook: { consecutiveFailures: 1, lastSuccessAt: null } })
    })

    test('refuses kinds and fields that there are not', async () => {
      await using home = await testApp(engine)
      await using there = await receiver()
      const client = await signedIn(home)
      const { id } = await aWebhook(home.app, home.owner.organizationId, { url: there.url })

      for (const [body, paths] of [
        [{ event: 'nothing.happened' }, ['event']],
        [{ event: null }, ['event']],
        [{ kind: 'alert.fired', url: 'http://127.0.0.1' }, ['kind', 'url']],
      ] as const) {
        const answer = await client.post(`/api/webhooks/${id}/test`, body)
        expectFailure(answer, 400, 'INVALID_REQUEST')
        expect(invalidPaths(answer)).toEqual(paths)
      }
      expect(there.got).toEqual([])
    })
  })
})

async function tested(client: Client, id: string, body?: unknown) {
  return dataOf(await client.send('POST', `/api/webhooks/${id}/test`, { body }), TestWebhook)
}

async function healthAndState(client: Client, id: string) {
  return {
    webhook: dataOf(await client.get(`/api/webhooks/${id}`), GetWebhook),
    health: dataOf(await client.get(`/api/webhooks/${id}/health`), GetWebhookHealth),
  }
}
