// Counts what a webhook has waiting in `delivery`. Tests do not count.

import { sql } from 'kysely'
import type { Db, EngineName } from '../db/database.ts'
import { INDEXED_BY } from '../db/indexed-by.ts'
import { NOT_WELL } from './left-over-store.ts'
import type { WebhookKey } from './webhook-store.ts'

/** How many are to be sent or being sent, and how many are held. */
export async function countWaiting(
  db: Db,
  engine: EngineName,
  { organizationId, id }: WebhookKey,
): Promise<{ waiting: number; held: number }> {
  const own = sql`organization_id = ${organizationId} and webhook_id = ${id} and is_test = 0`
  const by = (index: string) => INDEXED_BY[engine]('delivery', index)
  const { rows } = await sql<{ due: number; sending: number; held: number }>`select
    (select count(*) from ${by('delivery_due')}
      where ${own} and sender_id is null and due_at is not null) as due,
    (select count(*) from ${by('delivery_sender')} where ${own} and sender_id is not null) as sending,
    (select count(*) from ${by('delivery_state')}
      where ${own} and state = 'held' and ${NOT_WELL}) as held`.execute(db)
  const { due = 0, sending = 0, held = 0 } = rows[0] ?? {}
  return { waiting: Number(due) + Number(sending), held: Number(held) }
}
