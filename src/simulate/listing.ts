// Pages of the forum's listings, as the platform cuts them.

import type { WorldPost } from './post.ts'

/** A listing goes no deeper than this, however many pages one asks for. */
export const LISTING_DEPTH = 1_000
const LARGEST_PAGE = 100
const DEFAULT_PAGE = 25

export interface PageTerms {
  limit: number
  /** Where the post named by `before` or `after` stands in the listing; null: it is not there. */
  before?: number | null
  after?: number | null
}

export interface Page {
  posts: readonly WorldPost[]
  after: string | null
  before: string | null
}

const EMPTY: Page = { posts: [], after: null, before: null }

/** `listing` is newest first. What an anchor that is gone leads to is an empty page, not an error. */
export function listingPage(listing: readonly WorldPost[], terms: PageTerms): Page {
  const { limit, before, after } = terms
  if (before === null || after === null) return EMPTY
  if (before !== undefined) return pageBefore(listing, before, limit)

  const start = after === undefined ? 0 : after + 1
  const posts = listing.slice(start, start + limit)
  const hasMore = start + limit < listing.length
  return { posts, after: hasMore ? nameOf(posts.at(-1)) : null, before: null }
}

/** The posts next to the anchor, not the newest ones: whoever pages upwards misses none. */
function pageBefore(listing: readonly WorldPost[], position: number, limit: number): Page {
  const start = Math.max(0, position - limit)
  const posts = listing.slice(start, position)
  return { posts, after: null, before: start > 0 ? nameOf(posts[0]) : null }
}

/** One that is older than the listing is deep stands below it all. */
export function positionIn(
  listing: readonly WorldPost[],
  anchor: WorldPost | undefined,
): number | null {
  if (anchor === undefined || anchor.removal !== null) return null
  const position = listing.indexOf(anchor)
  return position === -1 ? listing.length : position
}

export function pageLimit(asked: string | null): number {
  const limit = Math.floor(Number(asked ?? DEFAULT_PAGE))
  if (Number.isNaN(limit)) return DEFAULT_PAGE
  return Math.min(LARGEST_PAGE, Math.max(1, limit))
}

function nameOf(post: WorldPost | undefined): string | null {
  return post === undefined ? null : `t3_${post.forumId}`
}
