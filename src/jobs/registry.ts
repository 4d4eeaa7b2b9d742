import { crawlChannel } from './crawl-channel.ts'
import type { JobDefinition } from './job.ts'
import { purgeDeliveries } from './purge-deliveries.ts'
import { purgeExpired } from './purge-expired.ts'
import { purgeRecords } from './purge-records.ts'
import { redeliverAll } from './redeliver-all.ts'
import { refreshPosts } from './refresh-posts.ts'
import { rematchWatcher } from './rematch-watcher.ts'
import { tidyTexts } from './tidy-texts.ts'

export const JOBS: readonly JobDefinition[] = [
  crawlChannel,
  refreshPosts,
  rematchWatcher,
  purgeRecords,
  purgeExpired,
  purgeDeliveries,
  tidyTexts,
  redeliverAll,
]
