// Webhooks and what they are told, for the tests.

import { expect, vi } from 'vitest'
import type { App } from '#src/app.ts'
import { EVENT_KINDS, type EventKind } from '#src/contract/event.ts'
import { attemptsOf, type Attempt } from '#src/events/attempt-store.ts'
import { createWebhook } from '#src/events/create-webhook.ts'
import { deliveriesOf, type Delivery } from '#src/events/delivery-store.ts'
import type { DeliveryState } from '#src/events/delivery.ts'
import type { StoredEvent } from '#src/events/event-store.ts'
import { openReceivers, type ReceiversWorld } from '#src/events/receivers.ts'
import { sampleEvent } from '#src/events/sample-event.ts'
import { tell } from '#src/events/tell.ts'
import { webhookById, type Webhook, type WebhookKey } from '#src/events/webhook-store.ts'
import { webhookContext } from '#src/webhook-context.ts'

/** Deliveries are looked for every 250 ms; a busy machine takes its time. */
const PATIENCE = { timeout: 20_000, interval: 20 }

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

/** Newest first. */
export async function deliveriesTo(app: App, webhook: WebhookKey): Promise<Delivery[]> {
  const { organizationId, id: webhookId } = webhook
  return deliveriesOf(app.db, { organizationId, webhookId, limit: 1_000 })
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

/** The same app in another world: with other roots of trust, and names that no server knows. */
export function appInWorld(app: App, world: ReceiversWorld): App {
  const receivers = openReceivers(app.config, world)
  return { ...app, receivers: () => Promise.resolve(receivers) }
}
