import type { Record } from '../contract/record.ts'

/** A record as the database gives it. */
export interface FoundRecord {
  key: number
  id: string
  platform: Record['platform']
  forumId: string
  subforum: string
  title: string
  permalink: string
  url: string | null
  score: number
  numComments: number
  createdAt: number
  author: string
  hasLink: number
  matched: number
  intent: Record['intent']
  verification: Record['verification']
  firstSeenAt: number
  /** As JSON; null when it has none. */
  tags: string | null
  snippet: string
  /**
   * The part of the body around a match: where it begins, whether it ends where the body does, and the
   * part, each behind a colon. Null where the snippet shows the match, or the body has none.
   */
  excerpt?: string | null
}
