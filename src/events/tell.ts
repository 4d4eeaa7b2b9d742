// An event is stored in the transaction of the fact it tells of, with a delivery for each webhook that
// wants to hear of it. Whatever happens afterwards, it will be sent.

import type { Trx } from '../db/database.ts'
import { newId } from '../lib/id.ts'
import { insertDeliveries, type NewDelivery } from './delivery-store.ts'
import { insertEvents, type StoredEvent } from './event-store.ts'
import { listenersOf } from './webhook-store.ts'

export async function tell(trx: Trx, events: readonly StoredEvent[]): Promise<void> {
  await insertEvents(trx, events)
  for (const [organizationId, some] of Map.groupBy(events, (event) => event.organizationId)) {
    const listeners = await listenersOf(trx, organizationId)
    const deliveries = some.flatMap((event) =>
      listeners
        .filter((listener) => listener.events.includes(event.kind))
        .map((listener) => deliveryOf(event, listener)),
    )
    await insertDeliveries(trx, deliveries)
  }
}

/** Nothing is sent to a webhook that is disabled, and nothing is lost. */
function deliveryOf(
  { organizationId, id: eventId, kind, createdAt }: StoredEvent,
  webhook: { id: string; enabled: boolean },
): NewDelivery {
  return {
    organizationId,
    id: newId('dlv', createdAt),
    webhookId: webhook.id,
    eventId,
    kind,
    isTest: false,
    state: webhook.enabled ? 'pending' : 'held',
    dueAt: webhook.enabled ? createdAt : null,
    createdAt,
  }
}
