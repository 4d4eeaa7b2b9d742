import type { Db } from '../db/database.ts'
import { notFound } from '../errors.ts'
import { raiseVersion } from '../db/change-store.ts'
import { revokeKey } from './key-store.ts'

/** Revokes a key of the organization; every process learns of it by the access version. */
export async function withdrawKey(
  db: Db,
  key: { organizationId: string; id: string },
  now: number,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await raiseVersion(trx, 'access')
    if (!(await revokeKey(trx, key, now))) throw notFound('key')
  })
}
