import type { Platform } from '../contract/platform.ts'

/** What a record's key can tell: a post from outside of it is none. */
const EARLIEST_POST_AT = 1
export const LATEST_POST_AT = Date.UTC(2089, 0, 1)

export function isPostTime(at: number): boolean {
  return at >= EARLIEST_POST_AT && at <= LATEST_POST_AT
}

/** A post of any platform, normalised: what a source reads and what becomes a record. */
export interface Post {
  platform: Platform
  /** The platform's own id, without any type prefix: `16bb5r`, `8863`. */
  forumId: string
  /** The channel's name as its platform writes it. */
  subforum: string
  title: string
  /** Plain text: no markup, no control characters. Empty when the post has none. */
  body: string
  permalink: string
  /** The external link, null when the post has none. */
  url: string | null
  /** Null when the platform did not say (feeds do not). */
  score: number | null
  numComments: number | null
  /** Milliseconds. */
  createdAt: number
  author: string
}
