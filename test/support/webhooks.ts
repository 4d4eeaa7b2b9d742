// Webhooks and what they are told, for the tests.

import type { lookup, LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { expect, vi } from 'vitest'
import type { App } from '#src/app.ts'
import { EVENT_KINDS, type EventKind } from '#src/contract/event.ts'
import type { EngineName } from '#src/db/database.ts'
import { attemptsOf, type Attempt } from '#src/events/attempt-store.ts'
import { createWebhook } from '#src/events/create-webhook.ts'
import { deliveriesOf } from '#src/events/delivery-log-store.ts'
import type { Delivery } from '#src/events/delivery-store.ts'
import type { DeliveryState } from '#src/contract/delivery.ts'
import type { Outcome } from '#src/events/delivery.ts'
import type { StoredEvent } from '#src/events/event-store.ts'
import { openReceivers, type ReceiversWorld } from '#src/events/receivers.ts'
import { sampleEvent } from '#src/events/sample-event.ts'
import { claimDue } from '#src/events/sending-store.ts'
import { settleAttempts } from '#src/events/settle-attempts.ts'
import { tell } from '#src/events/tell.ts'
import { webhookById, type Webhook, type WebhookKey } from '#src/events/webhook-store.ts'
import { webhookContext } from '#src/webhook-context.ts'
import { CA } from './certificates.ts'
import { testApp, type TestApp } from './test-app.ts'

/** Deliveries are looked for every 250 ms; a busy machine takes its time. */
const PATIENCE = { timeout: 20_000, interval: 20 }

/** A delivery has ten attempts. */
const TRIES_BEFORE_LAST = 9

export interface MadeWebhook extends WebhookKey {
  secret: string
}

export async function aWebhook(
  app: App,
  organizationId: string,
  { url, events = EVENT_KINDS }: { url: string; events?: readonly EventKind[] },
): Promise<MadeWebhook> {
  const wanted = { url, description: '', events: [...events] }
  const made = await createWebhook(webhookContext(app), organizationId, wanted)
  return { organizationId, ...made }
}

/** Tells a sample as if it had happened. */
export async function told(
  app: App,
  organizationId: string,
  kind: EventKind = 'crawl.run.completed',
): Promise<StoredEvent> {
  const event = sampleEvent(organizationId, kind, app.clock())
  await app.db.transaction().execute((trx) => tell(trx, [event]))
  return event
}

/** Tells so many samples in one transaction, each a millisecond younger than the one before. */
export async function toldMany(
  app: App,
  organizationId: string,
  { count, kind = 'crawl.run.completed' }: { count: number; kind?: EventKind },
): Promise<StoredEvent[]> {
  const first = app.clock() - count
  const events = Array.from({ length: count }, (_, index) =>
    sampleEvent(organizationId, kind, first + index),
  )
  await app.db.transaction().execute((trx) => tell(trx, events))
  return events
}

/** Newest first. */
export async function deliveriesTo(app: App, webhook: WebhookKey): Promise<Delivery[]> {
  const { organizationId, id: webhookId } = webhook
  return deliveriesOf(app.db, app.database.engine, { organizationId, webhookId, limit: 1_000 })
}

/** The only delivery of a webhook, once it has come to this. */
export async function deliveryIn(
  app: App,
  webhook: WebhookKey,
  state: DeliveryState,
): Promise<Delivery> {
  return vi.waitFor(async () => {
    const deliveries = await deliveriesTo(app, webhook)
    expect(deliveries.map((delivery) => delivery.state)).toEqual([state])
    const [delivery] = deliveries
    if (delivery === undefined) throw new Error('there is no delivery')
    return delivery
  }, PATIENCE)
}

export async function eventually<Value>(check: () => Promise<Value> | Value): Promise<Value> {
  return vi.waitFor(check, PATIENCE)
}

export async function logOf(app: App, delivery: Delivery): Promise<Attempt[]> {
  return attemptsOf(app.db, delivery)
}

export async function webhookNow(app: App, webhook: WebhookKey): Promise<Webhook> {
  const found = await webhookById(app.db, webhook)
  if (found === undefined) throw new Error('there is no such webhook')
  return found
}

/** Every delivery of a webhook has come to one of these. */
export async function allIn(
  app: App,
  webhook: WebhookKey,
  states: readonly DeliveryState[],
): Promise<Delivery[]> {
  return eventually(async () => {
    const deliveries = await deliveriesTo(app, webhook)
    expect(deliveries.filter(({ state }) => !states.includes(state))).toEqual([])
    return deliveries
  })
}

/** The same app in another world: with other roots of trust, and names that no server knows. */
export function appInWorld(app: App, world: ReceiversWorld): App {
  const receivers = openReceivers(app.config, world)
  return { ...app, receivers: () => Promise.resolve(receivers) }
}

const FINE = { ok: true, status: 200, error: null, snippet: '', retryAfterMs: null, durationMs: 5 }

/** What is due for a webhook is attempted and ends like this: as a sender does it, without a network. */
export async function attemptsEnd(
  app: App,
  webhook: WebhookKey,
  outcome: Partial<Outcome> = {},
  { isLast = false } = {},
): Promise<void> {
  const { db, database, clock } = app
  const terms = { engine: database.engine, senderId: 'snd_of_a_test', now: clock() }
  const webhooks = [{ ...webhook, most: 1_000 }]
  const claimed = await claimDue(db, database.engine, { ...terms, webhooks })
  const ended = claimed.map((one) => ({
    claimed: isLast ? { ...one, tries: TRIES_BEFORE_LAST } : one,
    outcome: { ...FINE, startedAt: clock(), ...outcome },
  }))
  await settleAttempts(db, ended, terms)
}

export interface ProductionHome extends AsyncDisposable {
  home: TestApp
  app: App
  organizationId: string
}

/** In production, where the authority of the fixtures is trusted and this machine may be sent to. */
export async function productionHome(
  engine: EngineName,
  { openRanges = '127.0.0.0/8', resolve = names(() => ['127.0.0.1']) } = {},
): Promise<ProductionHome> {
  const home = await testApp(engine, {
    NODE_ENV: 'production',
    EARSHOT_SECRET: 'a secret of the tests that is long enough',
    EARSHOT_WEBHOOK_ALLOW_CIDRS: openRanges,
  })
  const app = appInWorld(home.app, { ca: CA, resolve })
  return {
    home,
    app,
    organizationId: home.owner.organizationId,
    async [Symbol.asyncDispose]() {
      const receivers = await app.receivers()
      await receivers[Symbol.asyncDispose]()
      await home[Symbol.asyncDispose]()
    },
  }
}

/** Who knows names: what is told is an answer, nothing is that there is no such host. */
export function names(addressesOf: (hostname: string) => readonly string[]): typeof lookup {
  type Done = (error: Error | null, addresses: LookupAddress[]) => void
  const resolve = (hostname: string, _options: unknown, done: Done): void => {
    const found = addressesOf(hostname).map((address) => ({ address, family: isIP(address) }))
    const error = Object.assign(new Error('no such host'), { code: 'ENOTFOUND' })
    setImmediate(() => done(found.length === 0 ? error : null, found))
  }
  return resolve as typeof lookup
}
