// Owns the `change` table. The version of 'access' rises with everything that takes a right away,
// in the same transaction: processes that cache who may do what compare it to learn of that.

import { sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'

/**
 * To be called first in a transaction that changes access: the row is then locked until the end,
 * so that such changes happen one after another and a rule over several rows can be kept.
 */
export async function raiseAccessVersion(trx: Trx): Promise<void> {
  await trx
    .updateTable('change')
    .set({ version: sql<number>`version + 1` })
    .where('name', '=', 'access')
    .execute()
}

export async function accessVersion(db: Db): Promise<number> {
  const row = await db
    .selectFrom('change')
    .select('version')
    .where('name', '=', 'access')
    .executeTakeFirstOrThrow()
  return row.version
}

/**
 * After a restore the version must be one that nobody has seen: a running process would otherwise
 * go on trusting keys that were made after the backup.
 */
export async function noteRestore(db: Db, now: number): Promise<void> {
  await db.updateTable('change').set({ version: now }).where('name', '=', 'access').execute()
}
