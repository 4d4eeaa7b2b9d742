// Owns the `setting` table: facts about this installation that are written once.

import type { Db } from './database.ts'

/** What is stored under the name; the first to ask stores what they have. */
export async function settingOr(db: Db, name: string, value: string): Promise<string> {
  await db
    .insertInto('setting')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const row = await db
    .selectFrom('setting')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return row.value
}
