import type { EngineName, Trx } from '../db/database.ts'
import { DATASET } from './dataset.ts'
import { deleteListings } from './listing-store.ts'
import { deleteMatches, deleteTags } from './match-store.ts'
import { deleteRecords, tombstone } from './record-store.ts'

/** Its platform took them down: they leave every result, and only the fact is kept. */
export async function tombstoneRecords(
  trx: Trx,
  { organizationId, now }: { organizationId: string; now: number },
  keys: readonly number[],
): Promise<void> {
  await deleteMatches(trx, { organizationId }, keys)
  await deleteTags(trx, organizationId, keys)
  await deleteListings(trx, organizationId, keys)
  await tombstone(trx, { organizationId, now }, keys)
}

/** For good, with everything that hangs on them. */
export async function purgeRecords(
  trx: Trx,
  { engine, organizationId }: { engine: EngineName; organizationId: string },
  keys: readonly number[],
): Promise<void> {
  await DATASET[engine].hold(trx, organizationId)
  await deleteMatches(trx, { organizationId }, keys)
  await deleteTags(trx, organizationId, keys)
  await deleteListings(trx, organizationId, keys)
  await deleteRecords(trx, organizationId, keys)
}
