// Owns the `dataset_channel` table: the channels an organization has records of.

import type { Trx } from '../db/database.ts'

export interface DatasetChannel {
  platform: string
  channel: string
  subforum: string
}

/** One that is there keeps its name as it was first written. */
export async function insertDatasetChannels(
  trx: Trx,
  organizationId: string,
  channels: readonly DatasetChannel[],
): Promise<void> {
  const once = new Map(channels.map((one) => [`${one.platform}/${one.channel}`, one]))
  if (once.size === 0) return
  await trx
    .insertInto('dataset_channel')
    .values([...once.values()].map((one) => ({ organization_id: organizationId, ...one })))
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'platform', 'channel']).doNothing(),
    )
    .execute()
}

/** Those that no record is left of. */
export async function deleteEmptyChannels(trx: Trx, organizationId: string): Promise<void> {
  await trx
    .deleteFrom('dataset_channel')
    .where('organization_id', '=', organizationId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('record')
            .select('record.key')
            .whereRef('record.organization_id', '=', 'dataset_channel.organization_id')
            .whereRef('record.platform', '=', 'dataset_channel.platform')
            .whereRef('record.channel', '=', 'dataset_channel.channel')
            .where('record.removed_at', 'is', null),
        ),
      ),
    )
    .execute()
}
