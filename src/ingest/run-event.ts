import { CRAWL_RUN_COMPLETED, type CrawlRunCompleted } from '../contract/event.ts'
import type { StoredEvent } from '../events/event-store.ts'
import { newId } from '../lib/id.ts'
import { isoTime } from '../lib/iso-time.ts'
import type { Run } from './run-store.ts'

/** The event that tells of a run. Its body is put together here and never again. */
export function runEvent(run: Run, now: number): StoredEvent {
  const id = newId('evt', now)
  const body: CrawlRunCompleted = {
    type: CRAWL_RUN_COMPLETED,
    created_at: isoTime(now),
    id,
    data: {
      organization_id: run.organizationId,
      run_id: run.id,
      watcher_id: run.watcherId,
      watcher_name: run.watcherName,
      platform: run.platform,
      subforum: run.subforum,
      status: run.status,
      posts_fetched: run.postsFetched,
      matched: run.matched,
      tagged: run.tagged,
      new_posts: run.newPosts,
      errored: run.status === 'error',
      error: run.error,
      duration_ms: run.durationMs,
      started_at: isoTime(run.startedAt),
    },
  }
  return {
    organizationId: run.organizationId,
    id,
    kind: CRAWL_RUN_COMPLETED,
    body: JSON.stringify(body),
    createdAt: now,
  }
}
