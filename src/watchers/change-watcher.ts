import { isDeepStrictEqual } from 'node:util'
import type { Channel, NewWatcher, Rule } from '../contract/watcher.ts'
import { raiseVersion } from '../db/change-store.ts'
import { checkWatcher } from './check-watcher.ts'
import { crawlNow } from './crawl-job.ts'
import { channelIdOf, type WatcherContext } from './create-watcher.ts'
import { expectWatcher } from './expect-watcher.ts'
import { enqueueRematch } from './rematch-job.ts'
import {
  channelsOf,
  deleteChannels,
  insertChannels,
  updateWatcher,
  type WatcherKey,
} from './watcher-store.ts'

/** Channels that stay keep their place; new ones are read from the start. */
export async function changeWatcher(
  { db, minIntervalSeconds, now }: WatcherContext,
  key: WatcherKey,
  wanted: NewWatcher,
): Promise<void> {
  checkWatcher(wanted, { minIntervalSeconds })
  await db.transaction().execute(async (trx) => {
    await raiseVersion(trx, 'watchers')
    const before = await expectWatcher(trx, key)
    await updateWatcher(trx, { ...key, ...wanted, enabled: before.enabled })
    const had = await channelsOf(trx, key)
    const added = without(wanted.channels, had)
    await deleteChannels(trx, key, without(had, wanted.channels))
    await insertChannels(trx, key, added)
    if (before.enabled) await crawlNow(trx, added.map(channelIdOf), now)
    if (haveChanged(before.rules, wanted.rules)) await enqueueRematch(trx, key, now)
  })
}

function haveChanged(before: readonly Rule[], after: readonly Rule[]): boolean {
  return !isDeepStrictEqual(before, after)
}

function without(channels: readonly Channel[], others: readonly Channel[]): Channel[] {
  const gone = new Set(others.map(({ platform, key }) => `${platform}/${key}`))
  return channels.filter(({ platform, key }) => !gone.has(`${platform}/${key}`))
}
