import type { Post } from '../post.ts'
import { SourceError, type Gap } from '../source.ts'
import { searchPosts, type Found, type Search } from './search.ts'

/** The time between the newest post known before and the oldest that the list still holds. */
export interface Hole {
  fromAt: number
  toAt: number
}

/** About a week of the busiest list. */
const MOST_FILLED = 10_000

/** Reads what has left the list unseen. What the search API cannot give is told as a gap. */
export async function fillHole(search: Search, hole: Hole): Promise<Found> {
  const found: Found = { posts: [], gaps: [] }
  const reason = await readInto(found, search, hole)
  if (reason !== null) found.gaps.push(restOf(hole, found.posts, reason))
  return found
}

/** Why it could not be read to its end, null when it was. */
async function readInto(found: Found, search: Search, hole: Hole): Promise<string | null> {
  const span = { fromS: Math.floor(hole.fromAt / 1_000), toS: Math.floor(hole.toAt / 1_000) }
  try {
    for await (const { posts, gaps } of searchPosts(search, span)) {
      if (found.posts.length >= MOST_FILLED) return `More than ${MOST_FILLED} posts were missed.`
      found.posts.push(...posts)
      found.gaps.push(...gaps)
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return `More was posted than the list holds, and the search API failed. ${error.message}`
  }
  // The posts at both ends are known to exist, so a search that finds none does not know that time.
  return found.posts.length === 0 ? 'The search API knows no posts of that time.' : null
}

/** The search goes from the newest to the oldest: what is older than it got to is missing. */
function restOf(hole: Hole, posts: readonly Post[], reason: string): Gap {
  const reachedAt = posts.reduce((at, { createdAt }) => Math.min(at, createdAt), hole.toAt)
  return { fromAt: hole.fromAt, toAt: reachedAt, reason }
}
