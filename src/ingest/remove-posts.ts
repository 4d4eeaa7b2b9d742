import type { EngineName, Trx } from '../db/database.ts'
import { DATASET } from './dataset.ts'
import { deleteEmptyChannels } from './dataset-channel-store.ts'
import { deleteParts } from './record-parts-store.ts'
import { deleteRecords, tombstone } from './record-store.ts'
import { TEXT_INDEX } from './text-index.ts'

interface Place {
  engine: EngineName
  organizationId: string
}

/** Its platform took them down: they leave every result, and only the fact is kept. */
export async function tombstoneRecords(
  trx: Trx,
  { engine, organizationId, now }: Place & { now: number },
  keys: readonly number[],
): Promise<void> {
  await deleteParts(trx, organizationId, keys)
  await TEXT_INDEX[engine].remove(trx, organizationId, keys)
  await tombstone(trx, { organizationId, now }, keys)
}

/** For good, with everything that hangs on them. */
export async function purgeRecords(
  trx: Trx,
  { engine, organizationId }: Place,
  keys: readonly number[],
): Promise<void> {
  await DATASET[engine].hold(trx, organizationId)
  await deleteParts(trx, organizationId, keys)
  await TEXT_INDEX[engine].remove(trx, organizationId, keys)
  await deleteRecords(trx, organizationId, keys)
}

/** After records were purged. */
export async function forgetEmptyChannels(
  trx: Trx,
  { engine, organizationId }: Place,
): Promise<void> {
  await DATASET[engine].hold(trx, organizationId)
  await deleteEmptyChannels(trx, organizationId)
}
