// Owns the `record_listing` table: other channels than its own that a record was seen in. A story may
// be on several lists of the newsboard; of the forum, a post may come by a channel of channels.

import type { Platform } from '../contract/platform.ts'
import type { Db, Trx } from '../db/database.ts'

export interface ListedRecord {
  recordKey: number
  channel: string
}

export async function insertListings(
  trx: Trx,
  { organizationId, platform }: { organizationId: string; platform: Platform },
  listed: readonly ListedRecord[],
): Promise<void> {
  if (listed.length === 0) return
  const rows = listed.map(({ recordKey, channel }) => ({
    organization_id: organizationId,
    record_key: recordKey,
    platform,
    channel,
  }))
  await trx
    .insertInto('record_listing')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'record_key', 'channel']).doNothing(),
    )
    .execute()
}

export async function listingsOf(
  db: Db,
  organizationId: string,
  keys: readonly number[],
): Promise<ListedRecord[]> {
  if (keys.length === 0) return []
  return db
    .selectFrom('record_listing')
    .select(['record_key as recordKey', 'channel'])
    .where('organization_id', '=', organizationId)
    .where('record_key', 'in', keys)
    .execute()
}
