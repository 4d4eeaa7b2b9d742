// Owns the `change` table: a version per name that rises with every change of something processes
// cache, in the same transaction. They compare it to learn that what they know is no longer true.

import { sql } from 'kysely'
import type { Db, Trx } from './database.ts'

/** `access`: whatever takes a right away. `watchers`: their rules, and which of them are enabled. */
export type Changing = 'access' | 'watchers'

/**
 * To be called first in a transaction that changes it: the row is then locked until the end, so
 * that such changes happen one after another and a rule over several rows can be kept.
 */
export async function raiseVersion(trx: Trx, name: Changing): Promise<void> {
  await trx
    .updateTable('change')
    .set({ version: sql<number>`version + 1` })
    .where('name', '=', name)
    .execute()
}

export async function versionOf(db: Db, name: Changing): Promise<number> {
  const row = await db
    .selectFrom('change')
    .select('version')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return row.version
}

/**
 * After a restore every version must be one that nobody has seen: a running process would otherwise
 * go on trusting keys that were made after the backup.
 */
export async function noteRestore(db: Db, now: number): Promise<void> {
  await db.updateTable('change').set({ version: now }).execute()
}
