// Owns the `event` table: what happened, in the very bytes that every delivery will send. An event is
// stored in the transaction of the fact it tells of.

import type { Trx } from '../db/database.ts'

export interface StoredEvent {
  organizationId: string
  id: string
  kind: string
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
