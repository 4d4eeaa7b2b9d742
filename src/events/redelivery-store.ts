// Owns the `redelivery` table: how far it has come to send again what failed or was held.

import type { Db } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'

export interface Redelivery {
  organizationId: string
  id: string
  webhookId: string
  since: number
  /** Deliveries up to this one: those that come later take care of themselves. */
  untilId: string
  total: number
  done: number
  createdAt: number
  finishedAt: number | null
}

type Key = Pick<Redelivery, 'organizationId' | 'id'>

export async function insertRedelivery(db: Db, redelivery: Redelivery): Promise<void> {
  await db
    .insertInto('redelivery')
    .values({
      organization_id: redelivery.organizationId,
      id: redelivery.id,
      webhook_id: redelivery.webhookId,
      since: redelivery.since,
      until_id: redelivery.untilId,
      total: redelivery.total,
      done: redelivery.done,
      created_at: redelivery.createdAt,
      finished_at: redelivery.finishedAt,
    })
    .execute()
}

export async function redeliveryById(db: Db, key: Key): Promise<Redelivery | undefined> {
  const row = await db
    .selectFrom('redelivery')
    .selectAll()
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', key.id)
    .executeTakeFirst()
  return row === undefined ? undefined : redeliveryOf(row)
}

export async function updateRedelivery(
  db: Db,
  key: Key,
  { done, finishedAt }: Pick<Redelivery, 'done' | 'finishedAt'>,
): Promise<void> {
  await db
    .updateTable('redelivery')
    .set({ done, finished_at: finishedAt })
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', key.id)
    .execute()
}

function redeliveryOf(row: Tables['redelivery']): Redelivery {
  return {
    organizationId: row.organization_id,
    id: row.id,
    webhookId: row.webhook_id,
    since: row.since,
    untilId: row.until_id,
    total: row.total,
    done: row.done,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  }
}
