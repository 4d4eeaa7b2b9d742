// What a request asks for, whichever operation it came by. Two requests that mean the same are the
// same here, which is what a cursor is bound to.

import type { RecordQuery } from '../contract/list-records.ts'
import type { Platform } from '../contract/platform.ts'
import type { SearchBody } from '../contract/search.ts'
import { BORDER } from '../db/search-text.ts'

/** Control characters are taken out of all text from outside. */
const NOWHERE = '\u0001'

export type Order = 'newest' | 'firstSeenAt' | 'score' | 'numComments'

export interface Wanted {
  order: Order
  matchedOnly: boolean
  /** Any of these; empty takes all. Channels are in lower case. */
  platforms: readonly Platform[]
  channels: readonly string[]
  tags: readonly string[]
  watcherId: string | null
  minScore: number | null
  minComments: number | null
  hasLink: boolean
  hasImage: boolean
  fromAt: number | null
  toAt: number | null
  includeSuppressed: boolean
  /** In lower case: each must appear, and none of `without`. */
  terms: readonly string[]
  without: readonly string[]
  read: boolean | null
  archived: boolean | null
}

export function wantedByList(query: RecordQuery): Wanted {
  const { view, keyword, sort, read, archived } = query
  const matchedOnly = view === 'matched'
  return {
    ...wantedBy(query),
    order: matchedOnly ? sort : 'newest',
    matchedOnly,
    tags: matchedOnly ? query.tags : [],
    terms: asTerms(keyword === undefined ? [] : [keyword]),
    without: [],
    read: matchedOnly ? (read ?? null) : null,
    archived: matchedOnly ? archived : null,
  }
}

export function wantedBySearch(body: SearchBody): Wanted {
  return {
    ...wantedBy(body),
    order: 'newest',
    // Only matched records have tags.
    matchedOnly: body.tags.length > 0,
    tags: body.tags,
    terms: asTerms([body.q, ...body.include]),
    without: asTerms(body.exclude),
    read: null,
    archived: null,
  }
}

/** Whatever has such a term has something in it that it must not have. */
export function contradictsItself({ terms, without }: Wanted): boolean {
  return terms.some((term) => without.some((part) => term.includes(part)))
}

type Filter = Omit<SearchBody, 'q' | 'mode' | 'include' | 'exclude'>

function wantedBy(filter: Filter) {
  return {
    platforms: filter.platforms,
    channels: filter.subforums,
    watcherId: filter.watcher_id ?? null,
    minScore: atLeast(filter.min_score),
    minComments: atLeast(filter.min_comments),
    hasLink: filter.has_link,
    hasImage: filter.has_image,
    fromAt: filter.from ?? null,
    toAt: filter.to ?? null,
    includeSuppressed: filter.include_suppressed,
  }
}

/** Scores are whole numbers, and none is beyond what a number holds exactly. */
function atLeast(minimum: number | undefined): number | null {
  if (minimum === undefined) return null
  const beyond = Number.MAX_SAFE_INTEGER + 1
  return Math.min(Math.max(Math.ceil(minimum), -beyond), beyond)
}

/** What parts title and body is in no text: another character that no text has stands for it. */
function asTerms(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => text.toLowerCase().replaceAll(BORDER, NOWHERE)))]
}
