import { raiseVersion } from '../db/change-store.ts'
import type { Db } from '../db/database.ts'
import { notFound } from '../errors.ts'
import { crawlNow } from './crawl-job.ts'
import { channelIdOf } from './create-watcher.ts'
import {
  channelsOf,
  forgetStarts,
  setEnabled,
  watcherById,
  type WatcherKey,
} from './watcher-store.ts'

export async function pauseWatcher(db: Db, key: WatcherKey): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await raiseVersion(trx, 'watchers')
    if ((await watcherById(trx, key)) === undefined) throw notFound('watcher')
    await setEnabled(trx, key, false)
  })
}

/** What was posted meanwhile is looked for: its channels are read from the start. */
export async function resumeWatcher(db: Db, key: WatcherKey, now: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await raiseVersion(trx, 'watchers')
    const watcher = await watcherById(trx, key)
    if (watcher === undefined) throw notFound('watcher')
    if (watcher.enabled) return

    await setEnabled(trx, key, true)
    await forgetStarts(trx, key)
    await crawlNow(trx, (await channelsOf(trx, key)).map(channelIdOf), now)
  })
}
