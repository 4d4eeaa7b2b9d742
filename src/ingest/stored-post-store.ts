// Reads `record` for the jobs that go over what is stored: looking again, matching again, purging.

import type { Platform } from '../contract/platform.ts'
import type { Db } from '../db/database.ts'

export interface Holding {
  organizationId: string
  key: number
  forumId: string
  channel: string
}

/** Which organizations have a post as a record, by way of the organizations. */
export async function holdingsOf(
  db: Db,
  platform: string,
  forumIds: readonly string[],
): Promise<Holding[]> {
  if (forumIds.length === 0) return []
  return db
    .selectFrom('organization')
    .innerJoin('record', 'record.organization_id', 'organization.id')
    .select(['record.organization_id as organizationId', 'record.key'])
    .select(['record.forum_id as forumId', 'record.channel'])
    .where('record.platform', '=', platform)
    .where('record.forum_id', 'in', forumIds)
    .execute()
}

/** The oldest first, tombstones too. */
export async function keysBelow(
  db: Db,
  { organizationId, belowKey, limit }: { organizationId: string; belowKey: number; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('record')
    .select('key')
    .where('organization_id', '=', organizationId)
    .where('key', '<', belowKey)
    .orderBy('key')
    .limit(limit)
    .execute()
  return rows.map(({ key }) => key)
}

export interface StoredPost {
  key: number
  title: string
  body: string
  author: string
  url: string | null
  score: number
  numComments: number
  createdAt: number
}

export interface ChannelPage {
  organizationId: string
  platform: Platform
  channel: string
  /** Null begins with the newest. */
  belowKey: number | null
  limit: number
}

/** Those whose own channel it is, newest first. */
export async function recordsOfChannel(db: Db, page: ChannelPage): Promise<StoredPost[]> {
  let query = db
    .selectFrom('record')
    .select(['key', 'title', 'body', 'author', 'url', 'score'])
    .select(['num_comments as numComments', 'created_at as createdAt'])
    .where('organization_id', '=', page.organizationId)
    .where('platform', '=', page.platform)
    .where('channel', '=', page.channel)
    .where('removed_at', 'is', null)
  if (page.belowKey !== null) query = query.where('key', '<', page.belowKey)
  return query.orderBy('key', 'desc').limit(page.limit).execute()
}

/** Those of other channels that were seen in it too, newest first. */
export async function recordsListedIn(db: Db, page: ChannelPage): Promise<StoredPost[]> {
  let query = db
    .selectFrom('record_listing as listing')
    .innerJoin('record', (join) =>
      join
        .onRef('record.organization_id', '=', 'listing.organization_id')
        .onRef('record.key', '=', 'listing.record_key'),
    )
    .select(['record.key', 'record.title', 'record.body', 'record.author', 'record.url'])
    .select(['record.score', 'record.num_comments as numComments'])
    .select('record.created_at as createdAt')
    .where('listing.organization_id', '=', page.organizationId)
    .where('listing.platform', '=', page.platform)
    .where('listing.channel', '=', page.channel)
    .where('record.removed_at', 'is', null)
  if (page.belowKey !== null) query = query.where('listing.record_key', '<', page.belowKey)
  return query.orderBy('listing.record_key', 'desc').limit(page.limit).execute()
}
