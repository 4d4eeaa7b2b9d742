// What hangs on a record is in three tables that are emptied together: matches, tags, and the other
// channels it was seen in.

import type { Trx } from '../db/database.ts'

const PARTS = ['record_match', 'record_tag', 'record_listing'] as const

export async function deleteParts(
  trx: Trx,
  organizationId: string,
  keys: readonly number[],
): Promise<void> {
  if (keys.length === 0) return
  for (const table of PARTS) {
    await trx
      .deleteFrom(table)
      .where('organization_id', '=', organizationId)
      .where('record_key', 'in', keys)
      .execute()
  }
}
