import type { Post } from '../post.ts'
import type { Fetched, FetchTerms } from '../source.ts'
import type { Board } from './board.ts'
import { nextCursor, readCursor, timesOf, type Cursor } from './cursor.ts'
import { failuresOf, fetchItems, type Outcome } from './fetch-items.ts'
import { fillHole } from './fill-hole.ts'
import { postOfItem } from './item.ts'
import { listOf, type List } from './lists.ts'
import { afterFilling, holeBefore, wantedIds } from './plan.ts'
import { readListing } from './read-listing.ts'
import type { Found } from './search.ts'

interface Round extends FetchTerms {
  list: List
  known: Cursor
  listed: readonly number[]
}

export async function fetchNew(board: Board, terms: FetchTerms): Promise<Fetched> {
  const list = listOf(terms.channel)
  const known = readCursor(terms.cursor)
  const { ids: listed, validators } = await readListing(board, list, {
    validators: terms.fromStart ? null : known.validators,
    signal: terms.signal,
  })
  const round = { ...terms, list, known, listed }
  const outcomes = await fetchOutcomes(board, round)
  const missed = await fetchMissed(board, round, outcomes)

  const posts = outcomes.flatMap((outcome) =>
    outcome.kind === 'read' ? (postOfItem(outcome.item, list.channel) ?? []) : [],
  )
  const { holes } = missed
  const next = { ...nextCursor(known, { listed, outcomes }), holes, validators }
  return {
    posts: eachOnce([...posts, ...missed.posts]),
    cursor: JSON.stringify(next satisfies Cursor),
    gaps: missed.gaps,
    isPartial: next.pending.length > 0 || holes.length > 0,
  }
}

/**
 * One item that cannot be had is tried again later. When it is most of them, the platform has a
 * problem, and the fetch fails as a whole. Those that failed before say nothing new about that.
 */
async function fetchOutcomes(
  board: Board,
  { listed, known, fromStart, signal }: Round,
): Promise<Outcome[]> {
  const outcomes = await fetchItems(board, wantedIds(listed, known, fromStart), signal)
  const [failure, ...others] = failuresOf(outcomes)
  if (failure !== undefined && others.length + 1 > outcomes.length / 2) throw failure

  const pending = known.pending.map(({ id }) => id)
  return [...outcomes, ...(await fetchItems(board, pending, signal))]
}

interface Missed extends Found {
  holes: Cursor['holes']
}

/** What was posted since the last fetch and has left the list already. */
async function fetchMissed(
  board: Board,
  { list, known, listed, signal }: Round,
  outcomes: readonly Outcome[],
): Promise<Missed> {
  const shown = new Set(listed)
  const times = timesOf(outcomes.filter(({ id }) => shown.has(id)))
  const hole = holeBefore(list, known, { listed, times })
  const others = new Set([...listed, ...known.seen].map(String))
  const missed: Missed = { posts: [], gaps: [], holes: [] }
  for (const one of [...known.holes, ...(hole === null ? [] : [{ ...hole, tries: 0 }])]) {
    const filled = await fillHole({ board, list, signal }, one)
    const after = afterFilling(one, filled)
    missed.posts.push(...filled.posts.filter(({ forumId }) => !others.has(forumId)))
    missed.gaps.push(...filled.gaps, ...(after.gap === null ? [] : [after.gap]))
    missed.holes.push(...(after.hole === null ? [] : [after.hole]))
  }
  return missed
}

function eachOnce(posts: readonly Post[]): Post[] {
  return [...new Map(posts.map((post) => [post.forumId, post])).values()]
}
