import { z } from 'zod'
import { Instant } from './fields.ts'
import { Platform } from './platform.ts'

export const CrawlRun = z
  .strictObject({
    id: z.string().startsWith('run_'),
    watcherId: z.string(),
    watcherName: z.string(),
    platform: Platform,
    subforum: z.string(),
    status: z.enum(['ok', 'error']),
    postsFetched: z.number(),
    matched: z.number().describe('Posts of this fetch that the watcher’s rules matched.'),
    tagged: z.number().describe('Those of them that a rule gave a tag.'),
    newPosts: z.number().describe('Posts the organization did not have before.'),
    error: z.string().nullable(),
    durationMs: z.number(),
    startedAt: Instant,
  })
  .meta({ id: 'CrawlRun', description: 'One fetch of one channel for one watcher.' })
export type CrawlRun = z.infer<typeof CrawlRun>
