// What crawling has left in a database, read without going through the program.

import { CrawlRunCompleted } from '#src/contract/event.ts'
import type { Db } from '#src/db/database.ts'

export interface StoredRecord {
  organizationId: string
  platform: string
  channel: string
  forumId: string
}

export interface StoredRun {
  organizationId: string
  id: string
  watcherId: string
  platform: string
  subforum: string
  status: string
  postsFetched: number
  matched: number
  tagged: number
  newPosts: number
  error: string | null
  startedAt: number
}

/** A post's name over both platforms. */
export function nameOf({ platform, forumId }: Pick<StoredRecord, 'platform' | 'forumId'>): string {
  return `${platform}/${forumId}`
}

/** Oldest first. */
export function storedRecords(db: Db): Promise<StoredRecord[]> {
  return db
    .selectFrom('record')
    .select(['organization_id as organizationId', 'platform', 'channel', 'forum_id as forumId'])
    .orderBy('key')
    .execute()
}

export function storedRuns(db: Db): Promise<StoredRun[]> {
  return db
    .selectFrom('crawl_run')
    .select(['organization_id as organizationId', 'id', 'watcher_id as watcherId'])
    .select(['platform', 'subforum', 'status', 'matched', 'tagged', 'error'])
    .select(['posts_fetched as postsFetched', 'new_posts as newPosts', 'started_at as startedAt'])
    .orderBy('id')
    .execute()
}

/** What each event tells of its run, in the shape of a run. */
export async function runsToldOf(db: Db): Promise<StoredRun[]> {
  const rows = await db.selectFrom('event').select('body').execute()
  return rows.map(({ body }) => {
    const { data } = CrawlRunCompleted.parse(JSON.parse(body))
    return {
      organizationId: data.organization_id,
      id: data.run_id,
      watcherId: data.watcher_id,
      platform: data.platform,
      subforum: data.subforum,
      status: data.status,
      postsFetched: data.posts_fetched,
      matched: data.matched,
      tagged: data.tagged,
      newPosts: data.new_posts,
      error: data.error,
      startedAt: Date.parse(data.started_at),
    }
  })
}
