// What webhooks tell. The shapes are the contract's, word for word.

import { z } from 'zod'
import { Instant } from './fields.ts'
import { Platform } from './platform.ts'

export const CRAWL_RUN_COMPLETED = 'crawl.run.completed'
export const ALERT_FIRED = 'alert.fired'
export const CURATION_BATCH_READY = 'curation.batch.ready'

export const EVENT_KINDS = [CRAWL_RUN_COMPLETED, ALERT_FIRED, CURATION_BATCH_READY] as const

export const EventKind = z.enum(EVENT_KINDS).meta({ id: 'EventKind' })
export type EventKind = z.infer<typeof EventKind>

const EventId = z.string().startsWith('evt_').describe('The same on every attempt.')

export const CrawlRunCompleted = z.strictObject({
  type: z.literal(CRAWL_RUN_COMPLETED),
  created_at: Instant,
  id: EventId,
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

const ALERT_RECORDS_MAX = 20

export const AlertFired = z.strictObject({
  type: z.literal(ALERT_FIRED),
  created_at: Instant,
  id: EventId,
  data: z.strictObject({
    organization_id: z.string(),
    alert_id: z.string().startsWith('alr_'),
    alert_name: z.string(),
    watcher_id: z.string().nullable(),
    condition: z.string(),
    window_minutes: z.number(),
    count: z.number(),
    threshold: z.number(),
    fired_at: Instant,
    records: z
      .array(
        z.strictObject({
          id: z.string().startsWith('rec_'),
          title: z.string(),
          permalink: z.string(),
          subforum: z.string(),
          platform: Platform,
          forumCreatedAt: Instant,
        }),
      )
      .max(ALERT_RECORDS_MAX),
  }),
})
export type AlertFired = z.infer<typeof AlertFired>

export const CurationBatchReady = z.strictObject({
  event: z.literal(CURATION_BATCH_READY),
  event_id: EventId,
  delivered_at: Instant,
  organization_id: z.string(),
  data: z.strictObject({
    batch_id: z.string().startsWith('batch_'),
    opportunities: z.array(
      z.strictObject({
        id: z.string().startsWith('opp_'),
        post_id: z.string(),
        subforum: z.string(),
        title: z.string(),
        url: z.string(),
        scores: z.strictObject({
          fit: z.number(),
          relevance: z.number(),
          survival: z.enum(['LOW', 'MEDIUM', 'HIGH']),
        }),
        engagement_brief: z.strictObject({
          verdict: z.enum(['ENGAGE', 'WATCH', 'SKIP']),
          approach: z.string(),
          warnings: z.array(z.string()),
        }),
      }),
    ),
  }),
})
export type CurationBatchReady = z.infer<typeof CurationBatchReady>

/** What is sent of each kind. */
export const EVENT_BODIES = {
  [CRAWL_RUN_COMPLETED]: CrawlRunCompleted,
  [ALERT_FIRED]: AlertFired,
  [CURATION_BATCH_READY]: CurationBatchReady,
} as const satisfies Record<EventKind, z.ZodType>

/** Which of the two formats a kind has. */
export const EVENT_FORMATS = {
  [CRAWL_RUN_COMPLETED]: 'A',
  [ALERT_FIRED]: 'A',
  [CURATION_BATCH_READY]: 'B',
} as const satisfies Record<EventKind, 'A' | 'B'>
