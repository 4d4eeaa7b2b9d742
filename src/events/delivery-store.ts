// Owns the `delivery` table: what is to be told to whom, and how far that has come.

import type { EventKind } from '../contract/event.ts'
import type { Db, Trx } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'
import { chunksOf } from '../lib/chunks.ts'
import type { DeliveryState } from './delivery.ts'
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
export async function holdWaiting(db: Db, { organizationId, id }: WebhookKey): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('delivery')
    .set({ state: 'held', due_at: null })
    .where('organization_id', '=', organizationId)
    .where('webhook_id', '=', id)
    .where('due_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Of webhooks that were disabled in the very moment in which an event was told. */
export async function holdLatecomers(db: Db): Promise<void> {
  await db
    .updateTable('delivery')
    .set({ state: 'held', due_at: null })
    .where('due_at', 'is not', null)
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('organization_id', 'webhook_id'),
        'in',
        selectFrom('webhook')
          .select(['webhook.organization_id', 'webhook.id'])
          .where('enabled', '=', 0)
          .$asTuple('organization_id', 'id'),
      ),
    )
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

/** What failed or was held, of one webhook, within a span of ids. */
export interface LeftOver {
  organizationId: string
  webhookId: string
  fromId: string
  untilId: string
}

const LEFT_OVER_STATES: DeliveryState[] = ['failed', 'held']

export async function countLeftOver(db: Db, span: LeftOver): Promise<number> {
  const { count } = await leftOver(db, span)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The oldest of them, in their order; how many they were. */
export async function requeueLeftOver(
  db: Db,
  span: LeftOver,
  { most, now }: { most: number; now: number },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('delivery')
    .set({ state: 'pending', tries: 0, wait_ms: 0, due_at: now })
    .where('organization_id', '=', span.organizationId)
    .where('id', 'in', leftOver(db, span).select('id').orderBy('id').limit(most))
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

function leftOver(db: Db, { organizationId, webhookId, fromId, untilId }: LeftOver) {
  return db
    .selectFrom('delivery')
    .where('organization_id', '=', organizationId)
    .where('webhook_id', '=', webhookId)
    .where('state', 'in', LEFT_OVER_STATES)
    .where('is_test', '=', 0)
    .where('id', '>=', fromId)
    .where('id', '<=', untilId)
}

/** How many are to be sent, and how many are held. */
export async function countByState(
  db: Db,
  { organizationId, id }: WebhookKey,
): Promise<{ waiting: number; held: number }> {
  const rows = await db
    .selectFrom('delivery')
    .select(['state', (eb) => eb.fn.countAll<number>().as('count')])
    .where('organization_id', '=', organizationId)
    .where('webhook_id', '=', id)
    .where('state', 'in', ['pending', 'sending', 'retrying', 'held'])
    .groupBy('state')
    .execute()
  const countOf = (states: string[]) =>
    rows.reduce((sum, { state, count }) => sum + (states.includes(state) ? Number(count) : 0), 0)
  return { waiting: countOf(['pending', 'sending', 'retrying']), held: countOf(['held']) }
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
    .where('due_at', 'is not', null)
    .where('due_at', '<=', now)
    .executeTakeFirstOrThrow()
  return { due: Number(due), oldestDueAt }
}

export interface DeliveryFilter {
  organizationId: string
  webhookId?: string | undefined
  state?: DeliveryState | undefined
  status?: number | undefined
  kind?: EventKind | undefined
  fromId?: string | undefined
  belowId?: string | undefined
  limit: number
}

/** Newest first: ids are in the order of time. */
export async function deliveriesOf(db: Db, filter: DeliveryFilter): Promise<Delivery[]> {
  const { webhookId, state, status, kind, fromId, belowId } = filter
  let query = db
    .selectFrom('delivery')
    .selectAll()
    .where('organization_id', '=', filter.organizationId)
  if (webhookId !== undefined) query = query.where('webhook_id', '=', webhookId)
  if (state !== undefined) query = query.where('state', '=', state)
  if (status !== undefined) query = query.where('last_status', '=', status)
  if (kind !== undefined) query = query.where('event_kind', '=', kind)
  if (fromId !== undefined) query = query.where('id', '>=', fromId)
  if (belowId !== undefined) query = query.where('id', '<', belowId)
  const rows = await query.orderBy('id', 'desc').limit(filter.limit).execute()
  return rows.map(deliveryOf)
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

function deliveryOf(row: Tables['delivery']): Delivery {
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
