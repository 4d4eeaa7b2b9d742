// What webhooks tell. The shapes are the contract's, word for word.

import { z } from 'zod'
import { Instant } from './fields.ts'
import { Platform } from './platform.ts'

export const CRAWL_RUN_COMPLETED = 'crawl.run.completed'

export const CrawlRunCompleted = z.strictObject({
  type: z.literal(CRAWL_RUN_COMPLETED),
  created_at: Instant,
  id: z.string().startsWith('evt_'),
  data: z.strictObject({
    organization_id: z.string(),
    run_id: z.string().startsWith('run_'),
    watcher_id: z.string(),
    watcher_name: z.string(),
    platform: Platform,
    subforum: z.string(),
    status: z.enum(['ok', 'error']),
    posts_fetched: z.number(),
    matched: z.number(),
    tagged: z.number(),
    new_posts: z.number(),
    errored: z.boolean(),
    error: z.string().nullable(),
    duration_ms: z.number(),
    started_at: Instant,
  }),
})
export type CrawlRunCompleted = z.infer<typeof CrawlRunCompleted>
