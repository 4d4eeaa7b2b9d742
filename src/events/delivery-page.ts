import type { DeliveryQuery } from '../contract/delivery.ts'
import type { Db } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { firstIdAt } from '../lib/id.ts'
import { deliveriesOf, type Delivery } from './delivery-store.ts'

/** A cursor is where a page ended: the id of its last delivery. */
const CURSOR = /^dlv_[0-9a-hjkmnp-tv-z]{26}$/

export interface DeliveryPage {
  deliveries: Delivery[]
  nextCursor: string | null
}

export async function deliveryPage(
  db: Db,
  organizationId: string,
  query: DeliveryQuery,
): Promise<DeliveryPage> {
  const { webhook, state, status, event, from, to, limit, cursor } = query
  if (cursor !== undefined && !CURSOR.test(cursor)) throw invalidCursor()
  const found = await deliveriesOf(db, {
    organizationId,
    webhookId: webhook,
    state,
    status,
    kind: event,
    fromId: from === undefined ? undefined : firstIdAt('dlv', Date.parse(from)),
    belowId: lower(cursor, to === undefined ? undefined : firstIdAt('dlv', Date.parse(to))),
    limit: limit + 1,
  })
  const deliveries = found.slice(0, limit)
  const isLast = found.length <= limit
  return { deliveries, nextCursor: isLast ? null : (deliveries.at(-1)?.id ?? null) }
}

function lower(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one < other ? one : other
}

function invalidCursor(): AppError {
  return new AppError('INVALID_CURSOR', 'Copy `nextCursor` unchanged, or leave the cursor out.')
}
