// The search API gives at most a thousand results a query. So a long span is read in windows, newest
// first: where one was cut short, the next begins at the oldest second that was reached.

import { BoundedMap } from '../../lib/bounded-map.ts'
import { address } from '../http/address.ts'
import { readJson } from '../http/read-json.ts'
import type { Post } from '../post.ts'
import { SourceError, type Gap } from '../source.ts'
import type { Board } from './board.ts'
import { postOfHit, SearchAnswer, type Hit } from './hit.ts'
import type { List } from './lists.ts'

export interface Search {
  board: Board
  list: List
  signal: AbortSignal
}

/** In seconds, as the search API counts; both bounds belong to it. Without `toS` it is open to now. */
interface Span {
  fromS: number
  toS: number | null
}

export interface Found {
  posts: Post[]
  gaps: Gap[]
}

interface WindowEnd {
  isComplete: boolean
  /** Null when not one result was of the span. */
  oldestS: number | null
}

const MOST_RESULTS = 1_000
const RESULTS_PER_PAGE = 200

/** All posts of the span, each once, page by page. */
export async function* searchPosts(search: Search, span: Span): AsyncGenerator<Found> {
  const known = new BoundedMap<string, true>(2 * MOST_RESULTS) // a post may come again in the next window
  let window = span
  for (;;) {
    const { isComplete, oldestS } = yield* readWindow(search, window, known)
    if (isComplete) return
    if (oldestS === null) throw new SourceError('unreadable', 'The search API left out results.')

    const isStuck = oldestS === window.toS
    if (isStuck) yield { posts: [], gaps: [crowdedSecond(oldestS)] }
    window = { fromS: span.fromS, toS: isStuck ? oldestS - 1 : oldestS }
    if (window.toS !== null && window.toS < window.fromS) return
  }
}

async function* readWindow(
  search: Search,
  window: Span,
  known: BoundedMap<string, true>,
): AsyncGenerator<Found, WindowEnd> {
  let received = 0
  let oldestS: number | null = null
  for (let page = 0; ; page += 1) {
    const answer = await askForPage(search, window, page)
    const posts = answer.hits
      .filter((hit) => isWithin(window, hit))
      .flatMap((hit) => postOfHit(hit, search.list.channel) ?? [])
    for (const { createdAt } of posts) oldestS = Math.min(oldestS ?? Infinity, createdAt / 1_000)
    const fresh = posts.filter(({ forumId }) => known.get(forumId) === undefined)
    for (const { forumId } of fresh) known.set(forumId, true)
    if (fresh.length > 0) yield { posts: fresh, gaps: [] }

    received += answer.hits.length
    if (isLastPage(answer, { page, received })) {
      return { isComplete: isAll(received, answer.nbHits), oldestS }
    }
  }
}

async function askForPage(
  { board, list, signal }: Search,
  { fromS, toS }: Span,
  page: number,
): Promise<SearchAnswer> {
  const bounds = [`created_at_i>${fromS - 1}`]
  if (toS !== null) bounds.push(`created_at_i<${toS + 1}`)
  const url = address(board.searchUrl, '/api/v1/search_by_date', {
    tags: list.tag,
    numericFilters: bounds.join(','),
    hitsPerPage: String(RESULTS_PER_PAGE),
    page: String(page),
  })
  return readJson(await board.client.get(url, { signal }), SearchAnswer)
}

/** What lies outside was not asked for, and would keep the windows from moving on. */
function isWithin({ fromS, toS }: Span, { created_at_i: createdS }: Hit): boolean {
  return createdS !== undefined && createdS >= fromS && createdS <= (toS ?? Infinity)
}

function isLastPage(
  { hits, nbPages }: SearchAnswer,
  { page, received }: { page: number; received: number },
): boolean {
  return hits.length === 0 || received >= MOST_RESULTS || page + 1 >= (nbPages ?? Infinity)
}

function isAll(received: number, existing: number | undefined): boolean {
  return existing === undefined ? received < MOST_RESULTS : received >= existing
}

function crowdedSecond(second: number): Gap {
  return {
    fromAt: second * 1_000,
    toAt: (second + 1) * 1_000,
    reason: `More was posted in one second than the search API gives (${MOST_RESULTS} results).`,
  }
}
