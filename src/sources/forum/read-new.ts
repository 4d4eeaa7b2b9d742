import type { Post } from '../post.ts'
import type { Fetched, Gap } from '../source.ts'
import { writeCursor, type Position } from './cursor.ts'
import { isNew, newestOf, oldestOf, remember, rememberTop, type Known } from './memory.ts'
import type { Seen } from './submission.ts'
import { walkDown, walkSince, type ReadPage, type Walked } from './walk.ts'

/**
 * The platform answers with nothing, for ever, when the post it is asked from was deleted. So every
 * so many empty answers in a row the top of the listing is looked at instead.
 */
const EMPTY_BEFORE_LOOK = 3

/** The whole listing, as far as it goes. */
export async function readAll(read: ReadPage, position: Position | null): Promise<Fetched> {
  const walked = await walkDown(read, { untilAt: null })
  const memory = rememberTop(position?.memory ?? [], walked.seen)
  return {
    posts: postsOf(walked.seen),
    cursor: writeCursor({ memory, empty: 0 }),
    gaps: gapsOf(walked, newestOf(position?.memory ?? [])),
    isPartial: false,
  }
}

/** What has come since. */
export async function readNew(read: ReadPage, position: Position): Promise<Fetched> {
  const newest = newestOf(position.memory)
  if (newest === null) return await readAll(read, position)
  const walked = await walkSince(read, newest)
  if (walked.isEmpty) return await readNothing(read, position, newest)
  return {
    posts: newPosts(walked.seen, position),
    cursor: writeCursor({ memory: remember(position.memory, walked.seen), empty: 0 }),
    gaps: gapsOf(walked, newest),
    isPartial: false,
  }
}

async function readNothing(read: ReadPage, position: Position, newest: Known): Promise<Fetched> {
  const empty = position.empty + 1
  if (empty < EMPTY_BEFORE_LOOK) {
    return { posts: [], cursor: writeCursor({ ...position, empty }), gaps: [], isPartial: false }
  }
  const walked = await walkDown(read, { untilAt: newest.at })
  return {
    posts: newPosts(walked.seen, position),
    cursor: writeCursor({ memory: rememberTop(position.memory, walked.seen), empty: 0 }),
    gaps: gapsOf(walked, newest),
    isPartial: false,
  }
}

function newPosts(seen: readonly Seen[], { memory }: Position): Post[] {
  return postsOf(seen.filter((one) => isNew(one, memory)))
}

export function postsOf(seen: readonly Seen[]): Post[] {
  return seen.flatMap(({ post }) => (post === null ? [] : [post]))
}

/** What lies between the newest known post and the end of the listing is out of reach. */
function gapsOf({ seen, endAt }: Walked, newest: Known | null): Gap[] {
  const oldestAt = oldestOf(seen)
  if (newest === null || oldestAt === null || endAt === null || endAt <= newest.at) return []
  const reason = 'The forum’s listing ended before the posts already known were reached.'
  return [{ fromAt: newest.at, toAt: oldestAt, reason }]
}
