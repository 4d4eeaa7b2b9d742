// Thousands of events, and workers that are killed while they deliver them.

import { expect, vi } from 'vitest'
import type { App } from '#src/app.ts'
import { EVENT_KINDS } from '#src/contract/event.ts'
import type { StoredEvent } from '#src/events/event-store.ts'
import { sampleEvent } from '#src/events/sample-event.ts'
import { tell } from '#src/events/tell.ts'
import { seconds } from '#src/lib/duration.ts'
import type { FaultyReceiver } from './faulty-receiver.ts'
import type { Place } from './place.ts'
import { startService, type RunningService } from './program.ts'

const TOLD_AT_ONCE = 100

/** Of all kinds in turn, with letters of more than one byte. */
export async function tellMany(
  app: App,
  organizationId: string,
  count: number,
): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  while (events.length < count) {
    const some = Array.from({ length: Math.min(TOLD_AT_ONCE, count - events.length) }, (_, index) =>
      anEvent(organizationId, events.length + index),
    )
    await app.db.transaction().execute((trx) => tell(trx, some))
    events.push(...some)
  }
  return events
}

function anEvent(organizationId: string, index: number): StoredEvent {
  const kind = EVENT_KINDS[index % EVENT_KINDS.length] ?? EVENT_KINDS[0]
  const event = sampleEvent(organizationId, kind, Date.now())
  return { ...event, body: event.body.replace('Sample', `Nº ${index}: 見本 für Ægir 🦻`) }
}

/** As fast as it goes, with many in the hands of each process when it dies. */
const HURRY = { EARSHOT_WEBHOOK_PACE: '0', EARSHOT_WEBHOOK_CONCURRENCY: '20' }

export class Workers implements AsyncDisposable {
  readonly #place: Place
  readonly #running: RunningService[] = []
  readonly #ended: RunningService[] = []

  private constructor(place: Place) {
    this.#place = place
  }

  static async start(place: Place, count: number): Promise<Workers> {
    const workers = new Workers(place)
    for (let index = 0; index < count; index += 1) await workers.#add(index)
    return workers
  }

  /** The signals that ended those that are gone. */
  get deaths(): (NodeJS.Signals | null)[] {
    return this.#ended.map(({ child }) => child.signalCode)
  }

  /** Kills one of them, whatever it does, and starts another in its place. */
  async replaceOne(): Promise<void> {
    const index = Math.floor(Math.random() * this.#running.length)
    const victim = this.#running[index]
    if (victim === undefined) throw new Error('there is no worker')
    await victim.stop('SIGKILL')
    this.#ended.push(victim)
    await this.#add(index)
  }

  /** Their exit codes. */
  async stop(): Promise<(number | null)[]> {
    return Promise.all(this.#running.map((service) => service.stop('SIGTERM')))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const service of this.#running) await service[Symbol.asyncDispose]()
  }

  async #add(index: number): Promise<void> {
    this.#running[index] = await startService(this.#place, 'work', HURRY)
  }
}

/** What a dead process had in its hands waits for 15 s, and a failure for 6 s, on a machine with other work. */
const PATIENCE = { timeout: seconds(90), interval: 5 }

export async function requestsReached(there: FaultyReceiver, count: number): Promise<void> {
  await vi.waitFor(() => expect(there.answered.length).toBeGreaterThanOrEqual(count), PATIENCE)
}

/** Every delivery has come to its end. */
export async function allSettled(app: App, count: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const rows = await app.db
        .selectFrom('delivery')
        .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
        .groupBy('state')
        .execute()
      const states = Object.fromEntries(rows.map((row) => [row.state, Number(row.count)]))
      expect(states).toEqual({ delivered: count })
    },
    { ...PATIENCE, interval: 200 },
  )
}

export interface LoggedDelivery {
  webhookId: string
  eventId: string
  state: string
  senderId: string | null
  attempts: number
  log: { number: number; outcome: string; status: number | null }[]
}

export async function everyDelivery(app: App): Promise<LoggedDelivery[]> {
  const deliveries = await app.db.selectFrom('delivery').selectAll().orderBy('id').execute()
  const attempts = await app.db.selectFrom('attempt').selectAll().orderBy('number').execute()
  const logs = Map.groupBy(attempts, (attempt) => attempt.delivery_id)
  return deliveries.map((delivery) => ({
    webhookId: delivery.webhook_id,
    eventId: delivery.event_id,
    state: delivery.state,
    senderId: delivery.sender_id,
    attempts: delivery.attempts,
    log: (logs.get(delivery.id) ?? []).map(({ number, outcome, status }) => ({
      number,
      outcome,
      status,
    })),
  }))
}
