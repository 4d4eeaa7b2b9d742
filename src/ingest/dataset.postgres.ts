import { sql } from 'kysely'
import { postgresRows } from '../db/postgres/rows.ts'
import type { Dataset, KnownRecord } from './dataset.ts'

export const postgresDataset: Dataset = {
  async hold(trx, organizationId) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${organizationId}, 0))`.execute(trx)
  },

  /** One array instead of a hundred parameters, which take longer to plan than to look up. */
  async known(trx, { organizationId, platform }, forumIds) {
    const { rows } = await sql<KnownRecord>`
      select key, forum_id as "forumId", matched, removed_at as "removedAt"
      from record
      where organization_id = ${organizationId} and platform = ${platform}
        and forum_id = any(${forumIds}::text[])`.execute(trx)
    return rows
  },

  async takenKeys(trx, organizationId, slots) {
    const wanted = postgresRows(
      slots.map(({ first, past }) => ({ first, past })),
      { first: 'integer', past: 'integer' },
    )
    const { rows } = await sql<{ first: number; taken: number | null }>`
      select slot.first, (
        select max(key) from record
        where organization_id = ${organizationId} and key >= slot.first and key < slot.past
      ) as taken
      from ${wanted} as slot`.execute(trx)
    return new Map(rows.map(({ first, taken }) => [first, taken]))
  },
}
