import { sql } from 'kysely'
import { sqliteRows } from '../db/sqlite/rows.ts'
import type { Dataset } from './dataset.ts'

/** A transaction has the only writer; and keys are unique over all organizations. */
export const sqliteDataset: Dataset = {
  async hold() {},

  async takenKeys(trx, _organizationId, slots) {
    const wanted = sqliteRows(
      slots.map(({ first, past }) => ({ first, past })),
      { first: 'integer', past: 'integer' },
    )
    const { rows } = await sql<{ first: number; taken: number | null }>`
      select slot.first,
        (select max(key) from record where key >= slot.first and key < slot.past) as taken
      from ${wanted} as slot`.execute(trx)
    return new Map(rows.map(({ first, taken }) => [first, taken]))
  },
}
