import type { Post } from '../post.ts'
import type { Gap } from '../source.ts'
import { oldestOf } from './memory.ts'
import { postsOf } from './read-new.ts'
import type { Seen } from './submission.ts'
import { hasReached, pagesDown, type ReadPage } from './walk.ts'

export interface Portion {
  posts: Post[]
  gaps: Gap[]
}

/** Down the listing, page by page, to `sinceAt` or as far as it goes. */
export async function* backfill(read: ReadPage, sinceAt: number): AsyncGenerator<Portion> {
  let oldestAt: number | null = null
  for await (const page of pagesDown(read)) {
    yield portion(page.seen, sinceAt, [])
    if (hasReached(page, sinceAt)) return
    oldestAt = oldestOf(page.seen) ?? oldestAt
  }
  const gaps = gapBelow(oldestAt, sinceAt)
  if (gaps.length > 0) yield { posts: [], gaps }
}

export function portion(seen: readonly Seen[], sinceAt: number, gaps: Gap[]): Portion {
  return { posts: postsOf(seen.filter(({ createdAt }) => createdAt >= sinceAt)), gaps }
}

export function gapBelow(oldestAt: number | null, sinceAt: number): Gap[] {
  if (oldestAt === null || oldestAt <= sinceAt) return []
  const reason = 'The forum’s listing goes no further back.'
  return [{ fromAt: sinceAt, toAt: oldestAt, reason }]
}
