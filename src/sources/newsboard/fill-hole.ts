import type { Post } from '../post.ts'
import { SourceError } from '../source.ts'
import { searchPosts, type Found, type Search } from './search.ts'

/** The time between the newest post known before and the oldest that the list still holds. */
export interface Hole {
  fromAt: number
  toAt: number
}

export interface Filled extends Found {
  /** What could not be read, and why; null when all was. */
  rest: (Hole & { reason: string; isForGood: boolean }) | null
}

/** About a week of the busiest list. */
const MOST_FILLED = 10_000

/** Reads what has left the list unseen. */
export async function fillHole(search: Search, hole: Hole): Promise<Filled> {
  const found: Found = { posts: [], gaps: [] }
  const trouble = await readInto(found, search, hole)
  return { ...found, rest: trouble && { ...restOf(hole, found.posts), ...trouble } }
}

interface Trouble {
  reason: string
  /** Asking again would bring the same. */
  isForGood: boolean
}

/** Why it could not be read to its end, null when it was. */
async function readInto(found: Found, search: Search, hole: Hole): Promise<Trouble | null> {
  const span = { fromS: Math.floor(hole.fromAt / 1_000), toS: Math.floor(hole.toAt / 1_000) }
  try {
    for await (const { posts, gaps } of searchPosts(search, span)) {
      if (found.posts.length >= MOST_FILLED) {
        return { reason: `More than ${MOST_FILLED} posts were missed.`, isForGood: true }
      }
      found.posts.push(...posts)
      found.gaps.push(...gaps)
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    const reason = `More was posted than the list holds, and the search API failed. ${error.message}`
    return { reason, isForGood: false }
  }
  if (found.posts.length > 0) return null
  // The posts at both ends are known to exist, so a search that finds none does not know that time.
  return { reason: 'The search API knows no posts of that time.', isForGood: false }
}

/** The search goes from the newest to the oldest: what is older than it got to is missing. */
function restOf(hole: Hole, posts: readonly Post[]): Hole {
  const reachedAt = posts.reduce((at, { createdAt }) => Math.min(at, createdAt), hole.toAt)
  return { fromAt: hole.fromAt, toAt: reachedAt }
}
