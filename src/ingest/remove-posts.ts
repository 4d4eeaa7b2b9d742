import type { EngineName, Trx } from '../db/database.ts'
import { DATASET } from './dataset.ts'
import { deleteParts } from './record-parts-store.ts'
import { deleteRecords, tombstone } from './record-store.ts'

/** Its platform took them down: they leave every result, and only the fact is kept. */
export async function tombstoneRecords(
  trx: Trx,
  { organizationId, now }: { organizationId: string; now: number },
  keys: readonly number[],
): Promise<void> {
  await deleteParts(trx, organizationId, keys)
  await tombstone(trx, { organizationId, now }, keys)
}

/** For good, with everything that hangs on them. */
export async function purgeRecords(
  trx: Trx,
  { engine, organizationId }: { engine: EngineName; organizationId: string },
  keys: readonly number[],
): Promise<void> {
  await DATASET[engine].hold(trx, organizationId)
  await deleteParts(trx, organizationId, keys)
  await deleteRecords(trx, organizationId, keys)
}
