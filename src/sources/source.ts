// Sources read the platforms. A source is a folder: an adapter, a schema of the fields used, and the
// one conformance suite. A source stores nothing: what it has to remember is in the cursor it returns.

import type { Platform } from '../contract/platform.ts'
import type { Post } from './post.ts'

/** A time span of a channel whose posts could not be fetched any more. */
export interface Gap {
  fromAt: number
  toAt: number
  /** In plain words. */
  reason: string
}

export interface Fetched {
  /** New ones, each once, in any order. May hold some that were fetched before. */
  posts: Post[]
  /** Give it back at the next fetch. Only the source can read it. */
  cursor: string
  gaps: Gap[]
  /** Something could not be had this time; the cursor knows of it, and the next fetch asks again. */
  isPartial: boolean
}

export interface FetchTerms {
  /** A channel's name, as `channelKey` makes it. */
  channel: string
  /** What the last fetch returned; null reads the channel as far back as its listing goes. */
  cursor: string | null
  /** Somebody has begun to watch since: read the whole listing again, and remember what was known. */
  fromStart: boolean
  signal: AbortSignal
}

export type PostState =
  | { kind: 'there'; post: Post }
  /** Deleted by its author or removed by the platform. */
  | { kind: 'removed'; forumId: string }

export interface Source {
  platform: Platform
  fetchNew(terms: FetchTerms): Promise<Fetched>
  /** Looks at posts again. One that the platform did not speak of is left out of the answer. */
  lookAgain(forumIds: readonly string[], signal: AbortSignal): Promise<PostState[]>
  /** Posts of a channel since a time, newest or oldest first, page by page. */
  backfill(terms: {
    channel: string
    sinceAt: number
    signal: AbortSignal
  }): AsyncIterable<{ posts: Post[]; gaps: Gap[] }>
}

export type SourceFailure =
  | 'unreachable' // no answer, a 5xx, or none in time
  | 'throttled'
  | 'not_found'
  | 'forbidden'
  | 'unreadable' // an answer that is not what the platform should say
  | 'unauthorized' // our own credentials are wrong

/** Why a channel could not be read, in words for the person who watches it. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
  readonly failure: SourceFailure
  /** The platform's own wish; null when it had none. */
  readonly retryAfterMs: number | null

  constructor(
    failure: SourceFailure,
    message: string,
    options: ErrorOptions & { retryAfterMs?: number } = {},
  ) {
    super(message, options)
    this.failure = failure
    this.retryAfterMs = options.retryAfterMs ?? null
  }
}
