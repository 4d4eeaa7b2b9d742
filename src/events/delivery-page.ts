import { ListDeliveries, type DeliveryQuery } from '../contract/delivery.ts'
import type { Db, EngineName } from '../db/database.ts'
import { firstIdAt } from '../lib/id.ts'
import { makeCursor, readCursor } from '../lib/page-cursor.ts'
import { deliveriesOf } from './delivery-log-store.ts'
import type { Delivery } from './delivery-store.ts'

export interface LogContext {
  db: Db
  database: { engine: EngineName }
  cursorKey: Buffer
}

export interface DeliveryPage {
  deliveries: Delivery[]
  nextCursor: string | null
}

export async function deliveryPage(
  { db, database, cursorKey }: LogContext,
  organizationId: string,
  { limit, cursor, ...wanted }: DeliveryQuery,
): Promise<DeliveryPage> {
  const continued = { organizationId, operation: ListDeliveries.id, wanted }
  const [behindId] =
    cursor === undefined ? [] : readCursor<readonly [string]>(cursorKey, continued, cursor)
  const { webhook, state, status, event, from, to } = wanted
  const found = await deliveriesOf(db, database.engine, {
    organizationId,
    webhookId: webhook,
    state,
    status,
    kind: event,
    fromId: from === undefined ? undefined : firstIdAt('dlv', from),
    belowId: behindId ?? (to === undefined ? undefined : firstIdAt('dlv', to + 1)),
    limit: limit + 1,
  })
  const deliveries = found.slice(0, limit)
  const last = deliveries.at(-1)
  const isLast = found.length <= limit || last === undefined
  return { deliveries, nextCursor: isLast ? null : makeCursor(cursorKey, continued, [last.id]) }
}
