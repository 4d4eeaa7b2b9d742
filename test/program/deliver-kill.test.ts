import { describe, expect, test } from 'vitest'
import type { StoredEvent } from '#src/events/event-store.ts'
import { seconds } from '#src/lib/duration.ts'
import {
  allSettled,
  everyDelivery,
  requestsReached,
  tellMany,
  Workers,
  type LoggedDelivery,
} from '#test/support/deliver-kill.ts'
import {
  faultyReceiver,
  type Answered,
  type FaultyReceiver,
} from '#test/support/faulty-receiver.ts'
import { ENGINES } from '#test/support/place.ts'
import { testApp } from '#test/support/test-app.ts'
import { aWebhook, webhookNow } from '#test/support/webhooks.ts'

const KILLS = 10
const EVENTS_A_KILL = 500
/** Requests until the next kill, at random: fewer than there are events, so that they come for certain. */
const KILLED_AFTER = { least: 50, most: 450 }
const FAILURES_MAX = 20

/** Their leases and waits are real time. */
const PATIENCE_MS = seconds(240)

/** SQLite is for one process that works; PostgreSQL for many. */
const WORKERS = { sqlite: 1, postgres: 2 }

describe.each(ENGINES)('workers killed while they deliver 5,000 events on %s', (engine) => {
  test(
    'deliver every one, and the log agrees with what the receiver saw',
    { timeout: PATIENCE_MS },
    async () => {
      await using home = await testApp(engine)
      await using there = await faultyReceiver()
      const { app, owner, place } = home
      const all = await aWebhook(app, owner.organizationId, { url: there.urlOf('all') })
      const batches = await aWebhook(app, owner.organizationId, {
        url: there.urlOf('batches'),
        events: ['curation.batch.ready'],
      })
      await using workers = await Workers.start(place, WORKERS[engine])

      const events: StoredEvent[] = []
      for (let kill = 0; kill < KILLS; kill += 1) {
        const [told] = await Promise.all([
          tellMany(app, owner.organizationId, EVENTS_A_KILL),
          killSoon(workers, there),
        ])
        events.push(...told)
      }
      const wanted = [
        ...wantedBy('all', events),
        ...wantedBy(
          'batches',
          events.filter(({ kind }) => kind === 'curation.batch.ready'),
        ),
      ]
      await allSettled(app, wanted.length)
      const exitCodes = await workers.stop()

      expect(workers.deaths).toEqual(Array.from({ length: KILLS }, () => 'SIGKILL'))
      expect(exitCodes).toEqual(Array.from({ length: WORKERS[engine] }, () => 0))
      expectAllReceived(there.answered, wanted)
      const paths = new Map([
        [all.id, '/all'],
        [batches.id, '/batches'],
      ])
      expectAgreement(await everyDelivery(app), there.answered, paths)
      for (const webhook of [all, batches]) {
        const { enabled, consecutiveFailures } = await webhookNow(app, webhook)
        expect(enabled).toBe(true)
        expect(consecutiveFailures).toBeLessThan(FAILURES_MAX)
      }
    },
  )
})

async function killSoon(workers: Workers, there: FaultyReceiver): Promise<void> {
  const { least, most } = KILLED_AFTER
  const more = least + Math.floor(Math.random() * (most - least))
  await requestsReached(there, there.answered.length + more)
  await workers.replaceOne()
}

interface Wanted {
  key: string
  body: string
}

function wantedBy(name: string, events: readonly StoredEvent[]): Wanted[] {
  return events.map(({ id, body }) => ({ key: `/${name} ${id}`, body }))
}

/** Each at least once, each time with the bytes that were stored, and nothing else. */
function expectAllReceived(answered: readonly Answered[], wanted: readonly Wanted[]): void {
  const bodies = new Map(wanted.map(({ key, body }) => [key, body]))
  const received = Map.groupBy(answered, keyOf)
  expect(wanted.filter(({ key }) => !received.has(key))).toEqual([])
  expect(answered.filter((one) => one.body !== bodies.get(keyOf(one)))).toEqual([])
}

/** What the log says of each delivery beside what the receiver says of it. */
function expectAgreement(
  deliveries: readonly LoggedDelivery[],
  answered: readonly Answered[],
  paths: ReadonlyMap<string, string>,
): void {
  const received = Map.groupBy(answered, keyOf)
  const disagreements = deliveries.flatMap((delivery) => {
    const seen = received.get(`${paths.get(delivery.webhookId)} ${delivery.eventId}`) ?? []
    const wrong = mistakesIn(delivery, seen)
    return wrong.length === 0 ? [] : [{ delivery, seen, wrong }]
  })
  expect(disagreements).toEqual([])
  // Otherwise nothing of what this is about has happened.
  const outcomes = deliveries.flatMap(({ log }) => log.map(({ outcome }) => outcome))
  expect(new Set(outcomes)).toEqual(new Set(['delivered', 'failed', 'interrupted']))
  expect(new Set(answered.map(({ status }) => status))).toEqual(new Set([200, 500, null]))
  expect(answered.length).toBeGreaterThan(deliveries.length)
}

function mistakesIn(
  { state, senderId, attempts, log }: LoggedDelivery,
  seen: readonly Answered[],
): string[] {
  const logged = (status: number) => log.filter((attempt) => attempt.status === status).length
  const given = (status: number) => seen.filter((one) => one.status === status).length
  const rules: Record<string, boolean> = {
    'it is delivered': state === 'delivered',
    'nobody has it in their hands': senderId === null,
    'the receiver took it': given(200) > 0,
    'its attempts are numbered without a hole':
      log.length === attempts && log.every(({ number }, index) => number === index + 1),
    'every request is an attempt': log.length >= seen.length,
    'the last attempt delivered it': log.at(-1)?.outcome === 'delivered',
    'every success in the log was one': logged(200) <= given(200),
    'every refusal in the log was one': logged(500) <= given(500),
    'only an interrupted attempt has no result': log.every(
      ({ outcome, status }) => (outcome === 'delivered') === (status === 200),
    ),
  }
  return Object.keys(rules).filter((rule) => rules[rule] === false)
}

function keyOf({ path, eventId }: Pick<Answered, 'path' | 'eventId'>): string {
  return `${path} ${eventId}`
}
