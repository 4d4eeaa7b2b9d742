import type { Channel, NewWatcher } from '../contract/watcher.ts'
import { raiseVersion } from '../db/change-store.ts'
import type { Db } from '../db/database.ts'
import { newId } from '../lib/id.ts'
import { checkWatcher } from './check-watcher.ts'
import { crawlNow } from './crawl-job.ts'
import type { ChannelId } from './watch-store.ts'
import { insertChannels, insertWatcher } from './watcher-store.ts'

export interface WatcherContext {
  db: Db
  minIntervalSeconds: number
  now: number
}

/** Its channels are due at once: the first posts are there in seconds. */
export async function createWatcher(
  { db, minIntervalSeconds, now }: WatcherContext,
  organizationId: string,
  wanted: NewWatcher,
): Promise<{ id: string }> {
  checkWatcher(wanted, { minIntervalSeconds })
  const id = newId('wat', now)
  await db.transaction().execute(async (trx) => {
    await raiseVersion(trx, 'watchers')
    await insertWatcher(trx, { organizationId, id, ...wanted, enabled: true, createdAt: now })
    await insertChannels(trx, { organizationId, id }, wanted.channels)
    await crawlNow(trx, wanted.channels.map(channelIdOf), now)
  })
  return { id }
}

export function channelIdOf({ platform, key }: Channel): ChannelId {
  return { platform, channel: key }
}
