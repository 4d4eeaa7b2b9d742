// Reads `delivery` as a log: pages of it, newest first.

import { sql, type RawBuilder } from 'kysely'
import { CRAWL_RUN_COMPLETED, type EventKind } from '../contract/event.ts'
import type { Db, EngineName } from '../db/database.ts'
import { INDEXED_BY } from '../db/indexed-by.ts'
import type { Tables } from '../db/tables.ts'
import { deliveryOf, type Delivery } from './delivery-store.ts'
import { NOT_WELL } from './left-over-store.ts'
import type { DeliveryState } from '../contract/delivery.ts'

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
export async function deliveriesOf(
  db: Db,
  engine: EngineName,
  filter: DeliveryFilter,
): Promise<Delivery[]> {
  const { index, holds } = shortcutFor(filter)
  const table = index === null ? sql`delivery` : INDEXED_BY[engine]('delivery', index)
  const conditions = [...conditionsOf(filter), ...holds]
  const { rows } = await sql<Tables['delivery']>`
    select * from ${table}
    where ${sql.join(conditions, sql` and `)}
    order by id desc limit ${filter.limit}`.execute(db)
  return rows.map(deliveryOf)
}

interface Shortcut {
  index: string | null
  /** What is true of all rows of the index: the engines want to be told. */
  holds: RawBuilder<boolean>[]
}

const SHORTCUTS = {
  waiting: { index: 'delivery_due', holds: [sql`sender_id is null`, sql`due_at is not null`] },
  sending: { index: 'delivery_sender', holds: [sql`sender_id is not null`] },
  state: { index: 'delivery_state', holds: [NOT_WELL] },
  status: { index: 'delivery_status', holds: [sql`last_status >= 300`] },
  webhook: { index: 'delivery_webhook', holds: [] },
  kind: { index: 'delivery_kind', holds: [sql`event_kind <> 'crawl.run.completed'`] },
  none: { index: null, holds: [] },
} as const satisfies Record<string, Shortcut>

const BY_STATE = {
  pending: SHORTCUTS.waiting,
  sending: SHORTCUTS.sending,
  retrying: SHORTCUTS.state,
  failed: SHORTCUTS.state,
  held: SHORTCUTS.state,
  delivered: null,
} as const satisfies Record<DeliveryState, Shortcut | null>

/** What leaves out the most: few deliveries fail or wait, and most answers are good ones. */
function shortcutFor({ webhookId, state, status, kind }: DeliveryFilter): Shortcut {
  const byState = state === undefined ? null : BY_STATE[state]
  if (byState !== null) return byState
  if (status !== undefined && status >= 300) return SHORTCUTS.status
  if (kind !== undefined && kind !== CRAWL_RUN_COMPLETED) return SHORTCUTS.kind
  return webhookId === undefined ? SHORTCUTS.none : SHORTCUTS.webhook
}

/** What a deleted webhook leaves behind is taken away later, and is nobody's until then. */
const NOT_DELETED = sql<boolean>`not exists (
  select 1 from webhook
  where webhook.organization_id = delivery.organization_id and webhook.id = delivery.webhook_id
    and webhook.deleted_at is not null
)`

function conditionsOf(filter: DeliveryFilter): RawBuilder<boolean>[] {
  const { webhookId, state, status, kind, fromId, belowId } = filter
  const conditions = [
    [sql<boolean>`organization_id = ${filter.organizationId}`, filter.organizationId],
    [sql<boolean>`webhook_id = ${webhookId}`, webhookId],
    [sql<boolean>`state = ${state}`, state],
    [sql<boolean>`last_status = ${status}`, status],
    [sql<boolean>`event_kind = ${kind}`, kind],
    [sql<boolean>`id >= ${fromId}`, fromId],
    [sql<boolean>`id < ${belowId}`, belowId],
  ] as const
  const given = conditions.filter(([, value]) => value !== undefined)
  return [...given.map(([condition]) => condition), NOT_DELETED]
}
