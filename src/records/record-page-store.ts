// Records reads what ingest has stored: it lists and presents, and changes nothing of a post itself.
// This file reads `record`, page by page in the order of the key: newest first.

import type { Platform } from '../contract/platform.ts'
import type { Db } from '../db/database.ts'

export interface StoredRecord {
  key: number
  id: string
  platform: Platform
  forumId: string
  subforum: string
  channel: string
  title: string
  body: string
  text: string
  permalink: string
  url: string | null
  score: number
  numComments: number
  createdAt: number
  author: string
  matched: number
  verification: string
  firstSeenAt: number
}

export interface RecordPage {
  organizationId: string
  /** Null begins with the newest. */
  belowKey: number | null
  limit: number
}

export async function recordPage(db: Db, page: RecordPage): Promise<StoredRecord[]> {
  let query = db
    .selectFrom('record')
    .select(['key', 'id', 'platform', 'forum_id as forumId', 'subforum', 'channel', 'title'])
    .select(['body', 'text', 'permalink', 'url', 'score', 'num_comments as numComments'])
    .select(['created_at as createdAt', 'author', 'matched', 'verification'])
    .select('first_seen_at as firstSeenAt')
    .where('organization_id', '=', page.organizationId)
    .where('removed_at', 'is', null)
  if (page.belowKey !== null) query = query.where('key', '<', page.belowKey)
  const rows = await query.orderBy('key', 'desc').limit(page.limit).execute()
  return rows as StoredRecord[]
}

export async function tagsOfRecords(
  db: Db,
  organizationId: string,
  keys: readonly number[],
): Promise<Map<number, string[]>> {
  if (keys.length === 0) return new Map()
  const rows = await db
    .selectFrom('record_tag')
    .select(['record_key as key', 'tag'])
    .where('organization_id', '=', organizationId)
    .where('record_key', 'in', keys)
    .where('origin', '<>', 'removed')
    .orderBy('record_key')
    .orderBy('tag')
    .execute()
  const byKey = Map.groupBy(rows, ({ key }) => key)
  return new Map([...byKey].map(([key, tags]) => [key, tags.map(({ tag }) => tag)]))
}

export interface StoredMatch {
  watcherId: string
  rule: number
  term: string | null
  field: string | null
  position: number | null
}

export async function matchesOfRecords(
  db: Db,
  organizationId: string,
  keys: readonly number[],
): Promise<Map<number, StoredMatch[]>> {
  if (keys.length === 0) return new Map()
  const rows = await db
    .selectFrom('record_match')
    .select(['record_key as key', 'watcher_id as watcherId', 'rule', 'term', 'field', 'position'])
    .where('organization_id', '=', organizationId)
    .where('record_key', 'in', keys)
    .orderBy('record_key')
    .orderBy('watcher_id')
    .execute()
  const byKey = Map.groupBy(rows, ({ key }) => key)
  return new Map(
    [...byKey].map(([key, matches]) => [key, matches.map(({ key: _key, ...match }) => match)]),
  )
}
