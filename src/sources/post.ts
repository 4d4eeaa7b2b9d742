import type { Platform } from '../contract/platform.ts'

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
