// The forum through its public feeds: one page of the newest posts, without scores.

import { address } from '../http/address.ts'
import type { Answer, Client, Validators } from '../http/client.ts'
import type { Fetched, FetchTerms, Gap } from '../source.ts'
import { readCursor, writeCursor, type Position } from './cursor.ts'
import { entriesOf } from './feed-entries.ts'
import { feedPostOf } from './feed-post.ts'
import { isNew, newestOf, oldestOf, rememberTop } from './memory.ts'
import { PAGE_SIZE } from './page.ts'
import { postsOf } from './read-new.ts'
import { inWordsOf, isChannelSearch } from './refused.ts'
import type { Seen } from './submission.ts'

/** How many entries a feed has at least when there are more: not every server obeys `limit`. */
const FULL_FEED = 25

export interface FeedTerms {
  client: Client
  webUrl: string
}

interface Wanted {
  channel: string
  validators: Validators | null
  signal: AbortSignal
}

export async function readFeed(feed: FeedTerms, terms: FetchTerms): Promise<Fetched> {
  const { channel, signal, fromStart } = terms
  const position = readCursor(terms.cursor)
  const validators = fromStart ? null : position
  const answer = await getFeed(feed, { channel, validators, signal })
  if (answer.notModified && terms.cursor !== null) {
    return { posts: [], cursor: terms.cursor, gaps: [], isPartial: false }
  }
  const seen = seenIn(answer, feed, channel)
  const memory = position?.memory ?? []
  return {
    posts: postsOf(fromStart ? seen : seen.filter((one) => isNew(one, memory))),
    cursor: writeCursor({ memory: rememberTop(memory, seen), empty: 0, ...answer.validators }),
    gaps: gapsOf(seen, position),
    isPartial: false,
  }
}

/** All the posts that the feed has at the moment. */
export async function readFeedPosts(
  feed: FeedTerms,
  { channel, signal }: { channel: string; signal: AbortSignal },
): Promise<Seen[]> {
  return seenIn(await getFeed(feed, { channel, validators: null, signal }), feed, channel)
}

async function getFeed({ client, webUrl }: FeedTerms, wanted: Wanted): Promise<Answer> {
  const { channel, validators, signal } = wanted
  const path = `/r/${encodeURIComponent(channel)}/new/.rss`
  const url = address(webUrl, path, { limit: String(PAGE_SIZE) })
  try {
    return await client.get(url, { signal, validators, isGone: isChannelSearch })
  } catch (error) {
    throw inWordsOf(channel, error)
  }
}

function seenIn({ body }: Answer, { webUrl }: FeedTerms, channel: string): Seen[] {
  const seen = new Map<string, Seen>()
  for (const entry of entriesOf(body)) {
    const one = feedPostOf(entry, { webUrl, channel })
    if (one !== null) seen.set(one.id, one)
  }
  return [...seen.values()]
}

/** A full feed without any post that is known, or as old as one, does not reach back far enough. */
function gapsOf(seen: readonly Seen[], position: Position | null): Gap[] {
  const memory = position?.memory ?? []
  const newest = newestOf(memory)
  const oldestAt = oldestOf(seen)
  if (newest === null || oldestAt === null || seen.length < FULL_FEED) return []
  const ids = new Set(memory.map(({ id }) => id))
  if (oldestAt <= newest.at || seen.some(({ id }) => ids.has(id))) return []
  const reason = 'More was posted than the forum’s feed holds.'
  return [{ fromAt: newest.at, toAt: oldestAt, reason }]
}
