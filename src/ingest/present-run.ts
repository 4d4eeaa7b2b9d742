import type { CrawlRun } from '../contract/crawl-run.ts'
import { isoTime } from '../lib/iso-time.ts'
import type { Run } from './run-store.ts'

export function presentRun(run: Run): CrawlRun {
  return {
    id: run.id,
    watcherId: run.watcherId,
    watcherName: run.watcherName,
    platform: run.platform,
    subforum: run.subforum,
    status: run.status,
    postsFetched: run.postsFetched,
    matched: run.matched,
    tagged: run.tagged,
    newPosts: run.newPosts,
    error: run.error,
    durationMs: run.durationMs,
    startedAt: isoTime(run.startedAt),
  }
}
