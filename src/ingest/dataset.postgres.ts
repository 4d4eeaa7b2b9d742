import { sql } from 'kysely'
import { postgresRows } from '../db/postgres/rows.ts'
import type { Dataset, KnownRecord } from './dataset.ts'

export const postgresDataset: Dataset = {
  async hold(trx, organizationId) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${organizationId}, 0))`.execute(trx)
  },

  /**
   * One array, because a hundred parameters take longer to plan than to look up; and one by one,
   * because a table without statistics would be read by organization instead.
   */
  async known(trx, { organizationId, platform }, forumIds) {
    const { rows } = await sql<KnownRecord>`
      select found.key, found.forum_id as "forumId", found.channel, found.matched,
        found.removed_at as "removedAt"
      from unnest(${forumIds}::text[]) as wanted (id)
      cross join lateral (
        select key, forum_id, channel, matched, removed_at from record
        where organization_id = ${organizationId} and platform = ${platform}
          and forum_id = wanted.id
        limit 1
      ) as found`.execute(trx)
    return rows
  },

  isOf: (organizationId) => sql`record.organization_id = ${organizationId}`,

  async takenKeys(trx, organizationId, slots) {
    const wanted = postgresRows(slots, { first: 'integer', past: 'integer' })
    const { rows } = await sql<{ first: number; taken: number | null }>`
      select slot.first, (
        select max(key) from record
        where organization_id = ${organizationId} and key >= slot.first and key < slot.past
      ) as taken
      from ${wanted} as slot`.execute(trx)
    return new Map(rows.map(({ first, taken }) => [first, taken]))
  },
}
