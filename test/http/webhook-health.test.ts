import { describe, expect, test } from 'vitest'
import { GetWebhookHealth } from '#src/contract/delivery.ts'
import { GetWebhook } from '#src/contract/webhook.ts'
import { recoverAbandoned } from '#src/events/recover-abandoned.ts'
import { claimDue } from '#src/events/sending-store.ts'
import { hours, minutes } from '#src/lib/duration.ts'
import { isoTime } from '#src/lib/iso-time.ts'
import { dataOf, invalidPaths } from '#test/support/answers.ts'
import { expectFailure, type Client } from '#test/support/client.ts'
import { signedIn } from '#test/support/people.ts'
import { ENGINES } from '#test/support/place.ts'
import { answering, receiver } from '#test/support/receiver.ts'
import { testApp } from '#test/support/test-app.ts'
import { attemptsEnd, aWebhook, told } from '#test/support/webhooks.ts'

const URL = 'http://127.0.0.1:9/'
const FAILED = { ok: false, status: 503, error: 'HTTP 503' }

describe.each(ENGINES)('the health of a webhook on %s', (engine) => {
  test('of one that was never sent to is nothing', async () => {
    await using home = await testApp(engine)
    const client = await signedIn(home)
    const { id } = await aWebhook(home.app, home.owner.organizationId, { url: URL })

    const answer = await client.get(`/api/webhooks/${id}/health`)

    expect(answer.body.data).toEqual({
      successRate: null,
      attempts: 0,
      p50Ms: null,
      p95Ms: null,
      consecutiveFailures: 0,
      lastSuccessAt: null,
      waiting: 0,
      held: 0,
      overTime: [],
    })
  })

  test('tells how many attempts went well, how long they took, and how it stands', async () => {
    await using home = await testApp(engine)
    const { app, owner } = home
    const client = await signedIn(home)
    const webhook = await aWebhook(app, owner.organizationId, { url: URL })
    const startedAt = app.clock() - minutes(10)
    // 200 ms to 10 ms: what is slow came first, and the last two failed.
    for (let count = 20; count > 0; count -= 1) {
      await told(app, owner.organizationId)
      const fate = count <= 2 || count === 15 ? FAILED : {}
      await attemptsEnd(app, webhook, { ...fate, startedAt, durationMs: count * 10 })
    }
    await told(app, owner.organizationId)

    const health = await healthOf(client, webhook.id)

    expect(health).toEqual({
      successRate: 17 / 20,
      attempts: 20,
      p50Ms: 100,
      p95Ms: 190,
      consecutiveFailures: 2,
      lastSuccessAt: isoTime(startedAt + 30),
      waiting: 4, // three wait for their next attempt, one for its first
      held: 0,
      overTime: [{ from: isoTime(hourOf(startedAt)), delivered: 17, failed: 3 }],
    })
  })

  test('goes back so many hours, 24 unless said, and shows each hour that had something', async () => {
    await using home = await testApp(engine)
    const { app, owner } = home
    const client = await signedIn(home)
    const webhook = await aWebhook(app, owner.organizationId, { url: URL })
    const now = app.clock()
    const attempts: [ago: number, fate: object][] = [
      [hours(719), FAILED],
      [hours(23), {}],
      [hours(23), FAILED],
      [minutes(90), {}],
      [minutes(30), {}],
    ]
    for (const [ago, fate] of attempts) {
      await told(app, owner.organizationId)
      await attemptsEnd(app, webhook, { ...fate, startedAt: now - ago })
    }
    const hourAgo = (ago: number, delivered: number, failed: number) => ({
      from: isoTime(hourOf(now - ago)),
      delivered,
      failed,
    })
    const month = hourAgo(hours(719), 0, 1)
    const day = hourAgo(hours(23), 1, 1)
    const last = [hourAgo(minutes(90), 1, 0), hourAgo(minutes(30), 1, 0)]
    // An hour and a half ago and half an hour ago are never the same hour.
    const expected: [query: string, health: object][] = [
      ['', { overTime: [day, ...last], attempts: 4, successRate: 3 / 4 }],
      ['?hours=24', { overTime: [day, ...last], attempts: 4, successRate: 3 / 4 }],
      ['?hours=1', { overTime: last.slice(1), attempts: 1, successRate: 1 }],
      ['?hours=2', { overTime: last, attempts: 2, successRate: 1 }],
      ['?hours=720', { overTime: [month, day, ...last], attempts: 5, successRate: 3 / 5 }],
    ]

    for (const [query, figures] of expected) {
      const health = await healthOf(client, webhook.id, query)
      expect([query, health]).toEqual([query, expect.objectContaining(figures)])
    }
  })

  test('counts what waits and what is held apart', async () => {
    await using home = await testApp(engine)
    const { app, owner } = home
    const client = await signedIn(home)
    const webhook = await aWebhook(app, owner.organizationId, { url: URL })
    await told(app, owner.organizationId)
    await attemptsEnd(app, webhook)
    await told(app, owner.organizationId)
    await attemptsEnd(app, webhook, FAILED, { isLast: true })
    await told(app, owner.organizationId)
    await attemptsEnd(app, webhook, FAILED)
    await told(app, owner.organizationId)
    const claim = { webhooks: [{ ...webhook, most: 1 }], senderId: 'snd_1', now: app.clock() }
    await claimDue(app.db, engine, claim)
    await told(app, owner.organizationId)

    const before = await healthOf(client, webhook.id)
    await client.send('POST', `/api/webhooks/${webhook.id}/disable`)
    const after = await healthOf(client, webhook.id)

    expect(before).toMatchObject({ waiting: 3, held: 0 })
    expect(after).toMatchObject({ waiting: 1, held: 2 }) // what is being sent ends as it ends
  })

  test('does not count tests, attempts whose end is unknown, and other webhooks', async () => {
    await using home = await testApp(engine)
    await using there = await receiver(answering(500))
    const { app, owner } = home
    const client = await signedIn(home)
    const webhook = await aWebhook(app, owner.organizationId, { url: there.url })
    const other = await aWebhook(app, owner.organizationId, { url: there.url })
    await told(app, owner.organizationId)
    await attemptsEnd(app, webhook, { durationMs: 5_000 })
    const before = await healthOf(client, webhook.id)

    await client.send('POST', `/api/webhooks/${webhook.id}/test`)
    await attemptsEnd(app, other, FAILED)
    await told(app, owner.organizationId)
    const claim = { webhooks: [{ ...webhook, most: 1 }], senderId: 'snd_dead', now: app.clock() }
    await claimDue(app.db, engine, claim)
    await recoverAbandoned(app.db, app.clock())
    const after = await healthOf(client, webhook.id)

    expect(after).toMatchObject({ ...before, waiting: 1, overTime: expect.any(Array) })
    const sum = after.overTime.reduce((total, hour) => total + hour.delivered + hour.failed, 0)
    expect(sum).toBe(1)
    expect(after).toMatchObject({ successRate: 1, attempts: 1, p50Ms: 5_000, p95Ms: 5_000 })
  })

  test('says of failures and the last success what the webhook itself says', async () => {
    await using home = await testApp(engine)
    const { app, owner } = home
    const client = await signedIn(home)
    const webhook = await aWebhook(app, owner.organizationId, { url: URL })
    const startedAt = app.clock() - hours(100)
    for (const fate of [{}, FAILED, FAILED]) {
      await told(app, owner.organizationId)
      await attemptsEnd(app, webhook, { startedAt, ...fate })
    }

    const health = await healthOf(client, webhook.id, '?hours=1')
    const shown = dataOf(await client.get(`/api/webhooks/${webhook.id}`), GetWebhook)

    const standing = { consecutiveFailures: 2, lastSuccessAt: isoTime(startedAt + 5) }
    expect(health).toMatchObject({ ...standing, successRate: null, attempts: 0, overTime: [] })
    expect(shown).toMatchObject({ ...standing, lastFailureAt: isoTime(startedAt + 5) })
  })

  test('hours are a whole number from 1 to 720', async () => {
    await using home = await testApp(engine)
    const client = await signedIn(home)
    const { id } = await aWebhook(home.app, home.owner.organizationId, { url: URL })

    for (const hours of ['0', '721', '-1', '1.5', 'all', '']) {
      const answer = await client.get(`/api/webhooks/${id}/health?hours=${hours}`)
      expectFailure(answer, 400, 'INVALID_REQUEST')
      expect(invalidPaths(answer)).toEqual(['hours'])
    }
    const unknown = await client.get(`/api/webhooks/${id}/health?days=1&from=2`)
    expectFailure(unknown, 400, 'INVALID_REQUEST')
    expect(invalidPaths(unknown)).toEqual(['days', 'from'])
  })
})

async function healthOf(client: Client, id: string, query = '') {
  return dataOf(await client.get(`/api/webhooks/${id}/health${query}`), GetWebhookHealth)
}

function hourOf(instant: number): number {
  return Math.floor(instant / hours(1)) * hours(1)
}
