import { describe, expect, test } from 'vitest'
import { GetDelivery, ListDeliveries, Redeliver, TestWebhook } from '#src/contract/delivery.ts'
import { claimDue } from '#src/events/sending-store.ts'
import { startSender } from '#src/jobs/sender.ts'
import { minutes } from '#src/lib/duration.ts'
import { newId } from '#src/lib/id.ts'
import { isoTime } from '#src/lib/iso-time.ts'
import { dataOf, invalidPaths } from '#test/support/answers.ts'
import { expectFailure, type Client } from '#test/support/client.ts'
import { queryOf, type Filter } from '#test/support/dataset.ts'
import { aStranger, signedIn } from '#test/support/people.ts'
import { ENGINES } from '#test/support/place.ts'
import { answering, receiver, type Receiver } from '#test/support/receiver.ts'
import { testApp, type TestApp } from '#test/support/test-app.ts'
import {
  attemptsEnd,
  aWebhook,
  deliveriesTo,
  deliveryIn,
  eventually,
  told,
  type MadeWebhook,
} from '#test/support/webhooks.ts'

const NOWHERE = 'http://127.0.0.1:9/'

describe.each(ENGINES)('deliveries on %s', (engine) => {
  describe('one', () => {
    test('shows every field, the bytes and each attempt', async () => {
      await using home = await testApp(engine)
      const { app, owner } = home
      const client = await signedIn(home)
      const webhook = await aWebhook(app, owner.organizationId, { url: NOWHERE })
      const event = await told(app, owner.organizationId)
      const at = app.clock()
      const refused = { ok: false, status: null, error: 'Connection refused', durationMs: 3 }
      await attemptsEnd(app, webhook, { ...refused, startedAt: at })
      home.advance(minutes(1))
      const busy = { ok: false, status: 503, error: 'HTTP 503', snippet: 'busy', durationMs: 7 }
      await attemptsEnd(app, webhook, { ...busy, startedAt: at + minutes(1) })
      const { id, dueAt } = await deliveryIn(app, webhook, 'retrying')

      const answer = await client.get(`/api/deliveries/${id}`)

      const attempt = { outcome: 'failed', test: false }
      const first = { statusCode: null, error: 'Connection refused', responseSnippet: '' }
      const second = { statusCode: 503, error: 'HTTP 503', responseSnippet: 'busy' }
      expect(dataOf(answer, GetDelivery)).toEqual({
        id,
        webhookId: webhook.id,
        eventId: event.id,
        eventKind: 'crawl.run.completed',
        test: false,
        state: 'retrying',
        attempts: 2,
        lastStatusCode: 503,
        lastError: 'HTTP 503',
        lastAttemptAt: isoTime(at + minutes(1)),
        nextAttemptAt: isoTime(dueAt ?? 0),
        createdAt: isoTime(event.createdAt),
        body: event.body,
        log: [
          { number: 1, ...first, durationMs: 3, at: isoTime(at), ...attempt },
          { number: 2, ...second, durationMs: 7, at: isoTime(at + minutes(1)), ...attempt },
        ],
      })
    })

    test('one that was never attempted has nothing to tell of attempts', async () => {
      await using home = await testApp(engine)
      const { app, owner } = home
      const client = await signedIn(home)
      const webhook = await aWebhook(app, owner.organizationId, { url: NOWHERE })
      const event = await told(app, owner.organizationId)
      const { id } = await deliveryIn(app, webhook, 'pending')

      const delivery = dataOf(await client.get(`/api/deliveries/${id}`), GetDelivery)

      const never = { attempts: 0, lastStatusCode: null, lastError: null, lastAttemptAt: null }
      const next = { state: 'pending', nextAttemptAt: isoTime(event.createdAt) }
      expect(delivery).toMatchObject({ ...never, ...next, log: [] })
      expectFailure(await client.get(`/api/deliveries/${newId('dlv', 0)}`), 404, 'NOT_FOUND')
      expectFailure(await client.get(`/api/deliveries/${event.id}`), 404, 'NOT_FOUND')
    })
  })

  describe('the list', () => {
    test('is newest first, with the fields of each and without their bytes', async () => {
      await using there = await receiver(answering(418))
      await using home = await logged(engine, there)
      const { client } = home

      const { items, nextCursor } = await listed(client)

      expect(nextCursor).toBeNull()
      expect(items.map(({ state, test: isTest }) => [state, isTest])).toEqual([
        ['failed', true],
        ['sending', false],
        ['pending', false],
        ['held', false],
        ['failed', false],
        ['retrying', false],
        ['delivered', false],
      ])
      expect(items.map(({ id }) => id)).toEqual(
        items
          .map(({ id }) => id)
          .toSorted()
          .toReversed(),
      )
      for (const item of items) {
        const answer = await client.get(`/api/deliveries/${item.id}`)
        const { body: _body, log: _log, ...fields } = dataOf(answer, GetDelivery)
        expect(item).toEqual(fields)
      }
    })

    test('is filtered by webhook, state, status, event and time, each and together', async () => {
      await using there = await receiver(answering(418))
      await using home = await logged(engine, there)
      const { client, webhooks } = home
      const { items } = await listed(client)
      type Item = (typeof items)[number]
      const third = items[2] ?? expect.fail()
      const fifth = items[4] ?? expect.fail()
      const filters: [name: string, value: string | number, keeps: (item: Item) => boolean][] = [
        ...webhooks.map(({ id }): (typeof filters)[number] => [
          'webhook',
          id,
          (item) => item.webhookId === id,
        ]),
        ...['pending', 'sending', 'delivered', 'retrying', 'failed', 'held'].map(
          (state): (typeof filters)[number] => ['state', state, (item) => item.state === state],
        ),
        ...[200, 503, 418].map((status): (typeof filters)[number] => [
          'status',
          status,
          (item) => item.lastStatusCode === status,
        ]),
        ...['crawl.run.completed', 'alert.fired'].map((kind): (typeof filters)[number] => [
          'event',
          kind,
          (item) => item.eventKind === kind,
        ]),
        ['from', third.createdAt, (item) => item.createdAt >= third.createdAt],
        ['from', zoned(fifth.createdAt), (item) => item.createdAt >= fifth.createdAt],
        ['to', third.createdAt, (item) => item.createdAt <= third.createdAt],
        ['to', zoned(fifth.createdAt), (item) => item.createdAt <= fifth.createdAt],
      ]

      for (const [name, value, keeps] of filters) {
        const expected = items.filter(keeps)
        expect([name, value, expected.length > 0 && expected.length < items.length]).toEqual([
          name,
          value,
          true,
        ])
        expect([value, (await listed(client, { [name]: value })).items]).toEqual([value, expected])
        for (const [other, otherValue, keepsToo] of filters) {
          if (other === name || endsFirst([name, value], [other, otherValue])) continue
          const both = await listed(client, { [name]: value, [other]: otherValue })
          const [one, two] = [`${name}=${value}`, `${other}=${otherValue}`]
          expect([one, two, both.items]).toEqual([one, two, expected.filter(keepsToo)])
        }
      }
      const all = { webhook: webhooks[0]?.id, state: 'failed', status: 503 }
      const times = { from: items.at(-1)?.createdAt, to: items[0]?.createdAt }
      const together = await listed(client, { ...all, ...times, event: 'crawl.run.completed' })
      expect(together.items).toEqual([fifth])
    })

    test('is paged: every delivery once, and no cursor exactly on the last page', async () => {
      await using there = await receiver(answering(418))
      await using home = await logged(engine, there)
      const { client, webhooks } = home
      const filters = [{}, { webhook: webhooks[0]?.id }, { status: 503 }, { state: 'sending' }]

      for (const filter of filters) {
        const { items } = await listed(client, filter)
        for (const limit of [1, 2, 3, items.length, items.length + 1]) {
          const pages = await pagesOf(client, { ...filter, limit })

          expect(pages.flat()).toEqual(items)
          expect(pages).toHaveLength(Math.ceil(items.length / limit))
        }
      }
      expect(await listed(client, { webhook: newId('whk', 0) })).toEqual({
        items: [],
        nextCursor: null,
      })
    })

    test('what is told while somebody pages moves nothing', async () => {
      await using there = await receiver(answering(418))
      await using home = await logged(engine, there)
      const { client, app, owner } = home
      const before = await listed(client)

      const first = await listed(client, { limit: 3 })
      home.advance(minutes(1))
      await told(app, owner.organizationId)
      const second = await listed(client, { limit: 100, cursor: first.nextCursor })

      expect([...first.items, ...second.items]).toEqual(before.items)
    })

    test('has 20 on a page unless said, and at most 100', async () => {
      await using home = await testApp(engine)
      const { app, owner } = home
      const client = await signedIn(home)
      await aWebhook(app, owner.organizationId, { url: NOWHERE })
      for (let count = 0; count < 101; count += 1) await told(app, owner.organizationId)

      const pages = [await listed(client), await listed(client, { limit: 100 })]

      expect(pages.map(({ items }) => items.length)).toEqual([20, 100])
      expect(pages.map(({ nextCursor }) => typeof nextCursor)).toEqual(['string', 'string'])
    })

    test('refuses what is wrong or unknown, all at once and by name', async () => {
      await using home = await testApp(engine)
      const client = await signedIn(home)
      const queries: [query: string, paths: string[]][] = [
        ...['0', '101', '-1', '1.5', 'ten', ''].map((limit): [string, string[]] => [
          `limit=${limit}`,
          ['limit'],
        ]),
        ...['99', '600', '2xx', '', '-200'].map((status): [string, string[]] => [
          `status=${status}`,
          ['status'],
        ]),
        ['state=Failed', ['state']],
        ['state=', ['state']],
        ['event=nothing.happened', ['event']],
        ['from=yesterday', ['from']],
        ['from=2026-02-30T00:00:00Z', ['from']],
        ['from=2026-01-02&to=2026-01-01', ['from']],
        ['to=1767225600000', ['to']],
        ['limit=1&limit=2', ['limit']],
        ['webhookId=whk_1&page=2', ['webhookId', 'page']],
        ['state=x&limit=0&offset=1', ['state', 'limit', 'offset']],
      ]

      for (const [query, paths] of queries) {
        const answer = await client.get(`/api/deliveries?${query}`)
        expectFailure(answer, 400, 'INVALID_REQUEST')
        expect([query, invalidPaths(answer)]).toEqual([query, paths])
      }
    })

    test('refuses a cursor that is malformed', async () => {
      await using home = await testApp(engine)
      const client = await signedIn(home)
      const id = newId('dlv', 0)

      for (const cursor of [
        '',
        'x',
        `${id}0`,
        id.slice(0, -1),
        id.toUpperCase(),
        newId('evt', 0),
      ]) {
        const answer = await client.get(`/api/deliveries?${queryOf({ cursor })}`)
        expectFailure(answer, 400, 'INVALID_CURSOR')
      }
    })

    test('refuses a cursor that was tampered with, is of another organization or for other filters', async () => {
      await using there = await receiver(answering(418))
      await using home = await logged(engine, there)
      const { client } = home
      const stranger = await aStranger(home)
      const cursor = String((await listed(client, { limit: 2 })).nextCursor)
      const changed = cursor.slice(0, -1) + (cursor.endsWith('0') ? '1' : '0')

      const tampered = await client.get(`/api/deliveries?${queryOf({ limit: 2, cursor: changed })}`)
      const foreign = await stranger.client.get(`/api/deliveries?${queryOf({ limit: 2, cursor })}`)
      const other = await client.get(`/api/deliveries?${queryOf({ state: 'failed', cursor })}`)

      expect([tampered, foreign, other].map(({ body }) => body.error?.code)).toEqual([
        'INVALID_CURSOR',
        'INVALID_CURSOR',
        'INVALID_CURSOR',
      ])
    })
  })

  describe('redelivering', () => {
    test('sends the same bytes with the same id again, whatever came of it', async () => {
      await using home = await testApp(engine)
      await using there = await receiver((response, _got, count) =>
        response.writeHead(count === 1 ? 200 : 503).end(),
      )
      const { app, owner } = home
      const client = await signedIn(home)
      const webhook = await aWebhook(app, owner.organizationId, { url: there.url })
      await using _sender = await startSender(app)
      const event = await told(app, owner.organizationId)
      const { id } = await deliveryIn(app, webhook, 'delivered')

      for (const count of [2, 3]) {
        await redelivered(client, id)
        await eventually(() => expect(there.got).toHaveLength(count))
        await deliveryIn(app, webhook, 'retrying')
      }

      for (const { body, headers } of there.got) {
        expect(body.toString()).toBe(event.body)
        expect(headers['webhook-id']).toBe(event.id)
      }
      const { log, attempts } = dataOf(await client.get(`/api/deliveries/${id}`), GetDelivery)
      expect(attempts).toBe(3)
      expect(log.map(({ number, statusCode }) => [number, statusCode])).toEqual([
        [1, 200],
        [2, 503],
        [3, 503],
      ])
    })

    test.each(['delivered', 'retrying', 'failed', 'held', 'pending'])(
      'what is %s is pending again, at once, with its log',
      async (state) => {
        await using there = await receiver(answering(418))
        await using home = await logged(engine, there)
        const { client, app, webhooks } = home
        for (const { id } of webhooks) await client.send('POST', `/api/webhooks/${id}/enable`)
        const { items } = await listed(client, { state })
        const before = items.find((item) => !item.test) ?? expect.fail()
        const since = isoTime(app.clock())

        const after = await redelivered(client, before.id)

        const nextAttemptAt = expect.any(String)
        expect(after).toEqual({ ...before, state: 'pending', nextAttemptAt })
        expect(String(after.nextAttemptAt) >= since).toBe(true)
        expect(String(after.nextAttemptAt) <= isoTime(app.clock())).toBe(true)
      },
    )

    test('is refused while its webhook is disabled, while it is being sent, and for a test', async () => {
      await using there = await receiver(answering(418))
      await using home = await logged(engine, there)
      const { client } = home
      const { items: before } = await listed(client)
      const refused = before.filter(
        ({ state, test: isTest }) => state === 'held' || state === 'sending' || isTest,
      )
      expect(refused).toHaveLength(3)

      const messages: string[] = []
      for (const { id } of refused) {
        const answer = await client.send('POST', `/api/deliveries/${id}/redeliver`)
        expectFailure(answer, 409, 'CONFLICT')
        messages.push(answer.body.error?.message ?? '')
      }

      expect(messages).toEqual([
        expect.stringContaining('test'),
        expect.stringContaining('being sent'),
        expect.stringContaining('disabled'),
      ])
      expect((await listed(client)).items).toEqual(before)
      const missing = `/api/deliveries/${newId('dlv', 0)}/redeliver`
      expectFailure(await client.send('POST', missing), 404, 'NOT_FOUND')
    })
  })
})

interface Logged extends TestApp {
  client: Client
  webhooks: MadeWebhook[]
}

/** A delivery in every state, a minute apart: of runs to the first webhook, of alerts to the second, which is disabled. */
async function logged(engine: (typeof ENGINES)[number], { url }: Receiver): Promise<Logged> {
  const home = await testApp(engine)
  const { app, owner, advance } = home
  const { organizationId } = owner
  const client = await signedIn(home)
  const runs = await aWebhook(app, organizationId, { url, events: ['crawl.run.completed'] })
  const alerts = await aWebhook(app, organizationId, { url, events: ['alert.fired'] })
  const next = async (kind: 'crawl.run.completed' | 'alert.fired'): Promise<void> => {
    advance(minutes(1))
    await told(app, organizationId, kind)
  }
  const busy = { ok: false, status: 503, error: 'HTTP 503' }
  await next('crawl.run.completed')
  await attemptsEnd(app, runs)
  await next('crawl.run.completed')
  await attemptsEnd(app, runs, { ...busy, retryAfterMs: minutes(60) })
  await next('crawl.run.completed')
  await attemptsEnd(app, runs, busy, { isLast: true })
  await next('alert.fired')
  await client.send('POST', `/api/webhooks/${alerts.id}/disable`)
  await next('crawl.run.completed')
  const [pending] = await deliveriesTo(app, runs)
  // Not due yet, so that the next one is claimed alone.
  const later = { due_at: app.clock() + minutes(60) }
  await app.db
    .updateTable('delivery')
    .set(later)
    .where('id', '=', pending?.id ?? '')
    .execute()
  await next('crawl.run.completed')
  const claim = { webhooks: [{ ...runs, most: 1 }], senderId: 'snd_busy', now: app.clock() }
  await claimDue(app.db, engine, claim)
  advance(minutes(1))
  const sample = await client.post(`/api/webhooks/${alerts.id}/test`, {})
  dataOf(sample, TestWebhook)
  return { ...home, client, webhooks: [runs, alerts] }
}

async function listed(client: Client, filter: Filter = {}) {
  return dataOf(await client.get(`/api/deliveries?${queryOf(filter)}`), ListDeliveries)
}

async function pagesOf(client: Client, filter: Filter) {
  const pages: Awaited<ReturnType<typeof listed>>['items'][] = []
  let cursor: string | null = null
  do {
    const page = await listed(client, cursor === null ? filter : { ...filter, cursor })
    pages.push(page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  return pages
}

async function redelivered(client: Client, id: string) {
  return dataOf(await client.send('POST', `/api/deliveries/${id}/redeliver`), Redeliver)
}

/** The same instant, as somebody east of Greenwich writes it. */
function zoned(instant: string): string {
  return isoTime(Date.parse(instant) + minutes(330)).replace('Z', '+05:30')
}

/** Such a span is refused, which another test shows. */
function endsFirst(...given: [name: string, value: string | number][]): boolean {
  const { from, to } = Object.fromEntries(given)
  return from !== undefined && to !== undefined && Date.parse(`${from}`) > Date.parse(`${to}`)
}
