// Owns the `delivery` table: what is to be told to whom, and how far that has come.

import type { EventKind } from '../contract/event.ts'
import type { Db, Trx } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'
import { chunksOf } from '../lib/chunks.ts'
import type { DeliveryState } from '../contract/delivery.ts'
import type { WebhookKey } from './webhook-store.ts'

export interface NewDelivery {
  organizationId: string
  id: string
  webhookId: string
  eventId: string
  kind: EventKind
  isTest: boolean
  state: DeliveryState
  dueAt: number | null
  createdAt: number
  /** Of one that is being sent already: its first attempt. */
  senderId?: string
}

export interface Delivery extends NewDelivery {
  attempts: number
  lastStatus: number | null
  lastError: string | null
  lastAttemptAt: number | null
}

/** Each has 16 parameters, of which a statement takes some 32,000. */
const ROWS_A_STATEMENT = 500

export async function insertDeliveries(
  trx: Trx,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  for (const some of chunksOf(deliveries, ROWS_A_STATEMENT)) {
    await trx.insertInto('delivery').values(some.map(rowOf)).execute()
  }
}

function rowOf(delivery: NewDelivery): Tables['delivery'] {
  return {
    organization_id: delivery.organizationId,
    id: delivery.id,
    webhook_id: delivery.webhookId,
    event_id: delivery.eventId,
    event_kind: delivery.kind,
    is_test: delivery.isTest ? 1 : 0,
    state: delivery.state,
    attempts: delivery.senderId === undefined ? 0 : 1,
    tries: 0,
    wait_ms: 0,
    due_at: delivery.dueAt,
    sender_id: delivery.senderId ?? null,
    last_status: null,
    last_error: null,
    last_attempt_at: null,
    created_at: delivery.createdAt,
  }
}

/** What waits for a webhook waits no longer; what is being sent ends as it ends. */
export async function holdWaiting(db: Db, { organizationId, id }: WebhookKey): Promise<void> {
  await db
    .updateTable('delivery')
    .set({ state: 'held', due_at: null })
    .where('organization_id', '=', organizationId)
    .where('webhook_id', '=', id)
    .where('sender_id', 'is', null)
    .where('due_at', '>=', 0) // it is due at all: said so that the index is used
    .execute()
}

/** As if it had never been tried; false when its state forbids it. */
export async function requeue(
  db: Db,
  { organizationId, id }: { organizationId: string; id: string },
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('delivery')
    .set({ state: 'pending', tries: 0, wait_ms: 0, due_at: now })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('state', '<>', 'sending')
    .where('is_test', '=', 0)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export interface DueFigures {
  /** Deliveries that could be sent now. */
  due: number
  /** Since when the oldest of them is due; null when there is none. */
  oldestDueAt: number | null
}

export async function dueFigures(db: Db, now: number): Promise<DueFigures> {
  const { due, oldestDueAt } = await db
    .selectFrom('delivery')
    .select((eb) => [eb.fn.countAll<number>().as('due'), eb.fn.min('due_at').as('oldestDueAt')])
    .where('sender_id', 'is', null)
    .where('due_at', '<=', now)
    .executeTakeFirstOrThrow()
  return { due: Number(due), oldestDueAt }
}

/** Commands name a delivery without its organization. */
export async function organizationOfDelivery(db: Db, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('organization')
    .innerJoin('delivery', (join) =>
      join.onRef('delivery.organization_id', '=', 'organization.id').on('delivery.id', '=', id),
    )
    .select('organization.id')
    .executeTakeFirst()
  return row?.id
}

export async function deliveryById(
  db: Db,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<Delivery | undefined> {
  const row = await db
    .selectFrom('delivery')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? undefined : deliveryOf(row)
}

export function deliveryOf(row: Tables['delivery']): Delivery {
  return {
    organizationId: row.organization_id,
    id: row.id,
    webhookId: row.webhook_id,
    eventId: row.event_id,
    kind: row.event_kind as EventKind,
    isTest: row.is_test === 1,
    state: row.state as DeliveryState,
    dueAt: row.due_at,
    createdAt: row.created_at,
    attempts: row.attempts,
    lastStatus: row.last_status,
    lastError: row.last_error,
    lastAttemptAt: row.last_attempt_at,
  }
}
