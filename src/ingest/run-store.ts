// Owns the `crawl_run` table.

import type { Platform } from '../contract/platform.ts'
import type { Db, Trx } from '../db/database.ts'

export interface Run {
  organizationId: string
  id: string
  watcherId: string
  watcherName: string
  platform: Platform
  subforum: string
  status: 'ok' | 'error'
  postsFetched: number
  matched: number
  tagged: number
  newPosts: number
  /** In plain words; null on a run that went well. */
  error: string | null
  durationMs: number
  startedAt: number
}

export async function insertRuns(trx: Trx, runs: readonly Run[]): Promise<void> {
  if (runs.length === 0) return
  const rows = runs.map((run) => ({
    organization_id: run.organizationId,
    id: run.id,
    watcher_id: run.watcherId,
    watcher_name: run.watcherName,
    platform: run.platform,
    subforum: run.subforum,
    status: run.status,
    posts_fetched: run.postsFetched,
    matched: run.matched,
    tagged: run.tagged,
    new_posts: run.newPosts,
    error: run.error,
    duration_ms: run.durationMs,
    started_at: run.startedAt,
  }))
  await trx.insertInto('crawl_run').values(rows).execute()
}

export interface RunFilter {
  organizationId: string
  watcherId?: string | undefined
  /** Only those made after this id. */
  afterId?: string | undefined
  limit: number
}

/** Newest first. */
export async function runsOf(db: Db, filter: RunFilter): Promise<Run[]> {
  let query = db
    .selectFrom('crawl_run')
    .select(['organization_id as organizationId', 'id', 'watcher_id as watcherId'])
    .select(['watcher_name as watcherName', 'platform', 'subforum', 'status', 'matched', 'tagged'])
    .select(['posts_fetched as postsFetched', 'new_posts as newPosts', 'error'])
    .select(['duration_ms as durationMs', 'started_at as startedAt'])
    .where('organization_id', '=', filter.organizationId)
  if (filter.watcherId !== undefined) query = query.where('watcher_id', '=', filter.watcherId)
  if (filter.afterId !== undefined) query = query.where('id', '>', filter.afterId)
  const rows = await query.orderBy('id', 'desc').limit(filter.limit).execute()
  return rows as Run[]
}
