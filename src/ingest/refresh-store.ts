// Owns the `post_refresh` table: posts that are young enough to be looked at again, whoever holds
// them as records.

import type { Platform } from '../contract/platform.ts'
import type { Db, Trx } from '../db/database.ts'
import { chunksOf } from '../lib/chunks.ts'
import { nextRefreshAt } from './refresh-schedule.ts'

const ROWS_PER_STATEMENT = 1_000

export interface DuePost {
  platform: Platform
  forumId: string
  createdAt: number
}

export async function scheduleRefresh(
  trx: Trx,
  posts: readonly DuePost[],
  now: number,
): Promise<void> {
  const rows = posts.flatMap(({ platform, forumId, createdAt }) => {
    const dueAt = nextRefreshAt(createdAt, now)
    if (dueAt === null) return []
    return [{ platform, forum_id: forumId, created_at: createdAt, due_at: dueAt }]
  })
  for (const chunk of chunksOf(rows, ROWS_PER_STATEMENT)) {
    await trx
      .insertInto('post_refresh')
      .values(chunk)
      .onConflict((conflict) => conflict.columns(['platform', 'forum_id']).doNothing())
      .execute()
  }
}

export async function duePosts(
  db: Db,
  { platform, now, limit }: { platform: Platform; now: number; limit: number },
): Promise<DuePost[]> {
  const rows = await db
    .selectFrom('post_refresh')
    .select(['forum_id as forumId', 'created_at as createdAt'])
    .where('due_at', '<=', now)
    .where('platform', '=', platform)
    .orderBy('due_at')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, platform }))
}

/** On to the next age, or off the list. */
export async function settleRefresh(
  trx: Trx,
  posts: readonly DuePost[],
  now: number,
): Promise<void> {
  for (const { platform, forumId, createdAt } of posts) {
    const dueAt = nextRefreshAt(createdAt, now)
    if (dueAt === null) await forget(trx, platform, forumId)
    else await moveTo(trx, { platform, forumId }, dueAt)
  }
}

/** The platform could not be asked: all of them again at `dueAt`. */
export async function postponeRefresh(
  db: Db,
  posts: readonly DuePost[],
  dueAt: number,
): Promise<void> {
  for (const [platform, some] of Map.groupBy(posts, (post) => post.platform)) {
    await db
      .updateTable('post_refresh')
      .set({ due_at: dueAt })
      .where('platform', '=', platform)
      .where(
        'forum_id',
        'in',
        some.map(({ forumId }) => forumId),
      )
      .execute()
  }
}

async function moveTo(
  trx: Trx,
  { platform, forumId }: Pick<DuePost, 'platform' | 'forumId'>,
  dueAt: number,
): Promise<void> {
  await trx
    .updateTable('post_refresh')
    .set({ due_at: dueAt })
    .where('platform', '=', platform)
    .where('forum_id', '=', forumId)
    .execute()
}

async function forget(trx: Trx, platform: Platform, forumId: string): Promise<void> {
  await trx
    .deleteFrom('post_refresh')
    .where('platform', '=', platform)
    .where('forum_id', '=', forumId)
    .execute()
}
