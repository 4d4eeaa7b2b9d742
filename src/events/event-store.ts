// Owns the `event` table: what happened, in the very bytes that every delivery will send. An event is
// stored in the transaction of the fact it tells of.

import type { EventKind } from '../contract/event.ts'
import type { Db, Trx } from '../db/database.ts'

export interface StoredEvent {
  organizationId: string
  id: string
  kind: EventKind
  body: string
  createdAt: number
}

export async function insertEvents(trx: Trx, events: readonly StoredEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(({ organizationId, id, kind, body, createdAt }) => ({
    organization_id: organizationId,
    id,
    kind,
    body,
    created_at: createdAt,
  }))
  await trx.insertInto('event').values(rows).execute()
}

/** The bytes of an event, as text. */
export async function bodyOf(
  db: Db,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<string> {
  const { body } = await db
    .selectFrom('event')
    .select('body')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return body
}

/** Old ones that no delivery refers to; how many they were. */
export async function deleteUntoldEvents(
  db: Db,
  { organizationId, before, limit }: { organizationId: string; before: string; limit: number },
): Promise<number> {
  const untold = db
    .selectFrom('event')
    .select('event.id')
    .where('event.organization_id', '=', organizationId)
    .where('event.id', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('delivery')
            .select('delivery.id')
            .whereRef('delivery.organization_id', '=', 'event.organization_id')
            .whereRef('delivery.event_id', '=', 'event.id'),
        ),
      ),
    )
    .limit(limit)
  const { numDeletedRows } = await db
    .deleteFrom('event')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', untold)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
