import type { Db } from '../db/database.ts'
import { pullForward } from '../queue/job-store.ts'
import type { ChannelId } from './watch-store.ts'

export const CRAWL_CHANNEL = 'crawl_channel'

/** The queue holds one job for each channel that is watched. */
export function crawlJobOf({ platform, channel }: ChannelId) {
  return {
    queue: 'crawl',
    id: `${platform}/${channel}`,
    name: CRAWL_CHANNEL,
    payload: JSON.stringify({ platform, channel }),
  }
}

/** Has the channels fetched as soon as somebody is free. */
export async function crawlNow(db: Db, channels: readonly ChannelId[], now: number): Promise<void> {
  for (const channel of channels) await pullForward(db, crawlJobOf(channel), now)
}
