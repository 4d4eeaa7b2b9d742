import { raiseVersion } from '../db/change-store.ts'
import type { Db } from '../db/database.ts'
import { notFound } from '../errors.ts'
import { deleteWatcher, type WatcherKey } from './watcher-store.ts'

/** It stops at once. Its records stay, as records that were matched. */
export async function removeWatcher(db: Db, key: WatcherKey): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await raiseVersion(trx, 'watchers')
    if (!(await deleteWatcher(trx, key))) throw notFound('watcher')
  })
}
