import { sql } from 'kysely'
import { postgresRows } from '../db/postgres/rows.ts'
import type { Dataset } from './dataset.ts'

export const postgresDataset: Dataset = {
  async hold(trx, organizationId) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${organizationId}, 0))`.execute(trx)
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
