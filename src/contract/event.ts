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
  created_at: Instant.describe('When it happened.'),
  id: EventId,
  data: z.strictObject({
    organization_id: z.string(),
    run_id: z.string().startsWith('run_'),
    watcher_id: z.string(),
    watcher_name: z.string().describe('As it was when the run was made.'),
    platform: Platform,
    subforum: z.string().describe('The channel that was read.'),
    status: z.enum(['ok', 'error']).describe('`error` on an errored run.'),
    posts_fetched: z.number().describe('How many posts the platform gave.'),
    matched: z.number().describe('How many of them the rules of the watcher matched.'),
    tagged: z.number().describe('How many got at least one tag from the rules.'),
    new_posts: z.number().describe('How many the organization did not have yet.'),
    errored: z.boolean().describe('True on an errored run.'),
    error: z.string().nullable().describe('What went wrong, on an errored run.'),
    duration_ms: z.number().describe('Milliseconds.'),
    started_at: Instant,
  }),
})
export type CrawlRunCompleted = z.infer<typeof CrawlRunCompleted>

const ALERT_RECORDS_MAX = 20

export const AlertFired = z.strictObject({
  type: z.literal(ALERT_FIRED),
  created_at: Instant.describe('When it happened.'),
  id: EventId,
  data: z.strictObject({
    organization_id: z.string(),
    alert_id: z.string().startsWith('alr_'),
    alert_name: z.string(),
    watcher_id: z.string().nullable().describe('Null when it is about all watchers.'),
    condition: z.string().describe('What is counted.'),
    window_minutes: z.number().describe('Over how long it is counted.'),
    count: z.number().describe('How many there were.'),
    threshold: z.number().describe('From how many on it fires.'),
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
      .max(ALERT_RECORDS_MAX)
      .describe('The newest of them, at most 20.'),
  }),
})
export type AlertFired = z.infer<typeof AlertFired>

export const CurationBatchReady = z.strictObject({
  event: z.literal(CURATION_BATCH_READY),
  event_id: EventId,
  delivered_at: Instant.describe('When it happened: the same on every attempt.'),
  organization_id: z.string(),
  data: z.strictObject({
    batch_id: z.string().startsWith('batch_'),
    opportunities: z.array(
      z.strictObject({
        id: z.string().startsWith('opp_'),
        post_id: z.string().describe('Of the platform.'),
        subforum: z.string(),
        title: z.string(),
        url: z.string(),
        scores: z.strictObject({
          fit: z.number().describe('From 0 to 1.'),
          relevance: z.number().describe('From 0 to 1.'),
          survival: z
            .enum(['LOW', 'MEDIUM', 'HIGH'])
            .describe('The chance that a reply there stays up.'),
        }),
        engagement_brief: z.strictObject({
          verdict: z.enum(['ENGAGE', 'WATCH', 'SKIP']),
          approach: z.string().describe('How to go about it, in words.'),
          warnings: z.array(z.string()).describe('What to mind.'),
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
