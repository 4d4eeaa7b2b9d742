import { raiseVersion } from '../db/change-store.ts'
import type { Db } from '../db/database.ts'
import { crawlNow } from './crawl-job.ts'
import { channelIdOf } from './create-watcher.ts'
import { expectWatcher } from './expect-watcher.ts'
import { channelsOf, forgetStarts, setEnabled, type WatcherKey } from './watcher-store.ts'

export async function pauseWatcher(db: Db, key: WatcherKey): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await raiseVersion(trx, 'watchers')
    await expectWatcher(trx, key)
    await setEnabled(trx, key, false)
  })
}

/** What was posted meanwhile is looked for: its channels are read from the start. */
export async function resumeWatcher(db: Db, key: WatcherKey, now: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await raiseVersion(trx, 'watchers')
    const { enabled } = await expectWatcher(trx, key)
    if (enabled) return

    await setEnabled(trx, key, true)
    await forgetStarts(trx, key)
    await crawlNow(trx, (await channelsOf(trx, key)).map(channelIdOf), now)
  })
}
