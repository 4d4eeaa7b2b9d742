// What failed or was held: counts it in `delivery`, and puts it on its way again.

import { sql, type RawBuilder } from 'kysely'
import type { Db, EngineName } from '../db/database.ts'
import { INDEXED_BY } from '../db/indexed-by.ts'

/** As the index of states says it. */
export const NOT_WELL = sql<boolean>`state in ('retrying', 'failed', 'held')`

/** Of one webhook, within a span of ids. */
export interface LeftOver {
  engine: EngineName
  organizationId: string
  webhookId: string
  fromId: string
  untilId: string
}

export async function countLeftOver(db: Db, span: LeftOver): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${leftOver(span)}`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

/** The oldest of them, in their order; how many they were. */
export async function requeueLeftOver(
  db: Db,
  span: LeftOver,
  { most, now }: { most: number; now: number },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update delivery set state = 'pending', tries = 0, wait_ms = 0, due_at = ${now}
    where organization_id = ${span.organizationId}
      and id in (select id from ${leftOver(span)} order by id limit ${most})`.execute(db)
  return Number(numAffectedRows)
}

function leftOver(span: LeftOver): RawBuilder<unknown> {
  const { engine, organizationId, webhookId, fromId, untilId } = span
  return sql`${INDEXED_BY[engine]('delivery', 'delivery_state')}
    where organization_id = ${organizationId} and state in ('failed', 'held') and ${NOT_WELL}
      and id >= ${fromId} and id <= ${untilId} and webhook_id = ${webhookId} and is_test = 0`
}
