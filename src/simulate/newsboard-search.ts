// The newsboard's search API: which posts a query finds, and one page of them.

import { isoTime } from '../lib/iso-time.ts'
import { figuresAt } from './growth.ts'
import { ranked } from './newsboard-items.ts'
import type { WorldPost } from './post.ts'
import { numericTest, type Numbers } from './search-numbers.ts'
import { tagTest } from './search-tags.ts'
import { newsboardHtml } from './text.ts'
import { newest } from './world.ts'

/** However many match, the API hands out no more. */
const MOST_RESULTS = 1_000
const LARGEST_PAGE = 1_000
const DEFAULT_PAGE = 20
const FRONT_PAGE = 30

export type SearchOrder = 'date' | 'relevance'

interface SearchTerms {
  query: URLSearchParams
  order: SearchOrder
  now: number
}

/** Null when the filters cannot be read, which the API refuses. */
export function search(posts: readonly WorldPost[], { query, order, now }: SearchTerms) {
  const hasNumbers = numericTest(query.get('numericFilters') ?? '')
  if (hasNumbers === null) return null

  const hasTags = tagTest(query.get('tags') ?? '')
  const hasWords = wordTest(query.get('query') ?? '')
  const front = new Set(ranked(posts, now).slice(0, FRONT_PAGE))
  const found = newest(
    posts,
    Infinity,
    (post) =>
      hasNumbers(numbersOf(post, now)) && hasTags(tagsOf(post, front.has(post))) && hasWords(post),
  )
  if (order === 'relevance') {
    found.sort((first, second) => figuresAt(second, now).score - figuresAt(first, now).score)
  }
  return pageOf(found, query, (post) => ({
    ...contentOf(post),
    ...numbersOf(post, now),
    _tags: tagsOf(post, front.has(post)),
  }))
}

function pageOf<Hit>(
  found: readonly WorldPost[],
  query: URLSearchParams,
  hitOf: (post: WorldPost) => Hit,
) {
  const hitsPerPage = Math.min(LARGEST_PAGE, wholeNumber(query.get('hitsPerPage'), DEFAULT_PAGE))
  const page = wholeNumber(query.get('page'), 0)
  const reachable = Math.min(found.length, MOST_RESULTS)
  const start = page * hitsPerPage
  return {
    hits: found.slice(start, Math.min(start + hitsPerPage, reachable)).map(hitOf),
    nbHits: found.length,
    page,
    nbPages: hitsPerPage === 0 ? 0 : Math.ceil(reachable / hitsPerPage),
    hitsPerPage,
    exhaustiveNbHits: true,
    query: query.get('query') ?? '',
    params: query.toString(),
    processingTimeMS: 1,
  }
}

function contentOf({ forumId, title, url, author, body, createdAt }: WorldPost) {
  return {
    objectID: forumId,
    title,
    url,
    author,
    story_text: body === '' ? null : newsboardHtml(body),
    created_at: isoTime(secondsOf(createdAt) * 1_000),
  }
}

function numbersOf(post: WorldPost, now: number): Numbers {
  const { score, numComments } = figuresAt(post, now)
  return { created_at_i: secondsOf(post.createdAt), points: score, num_comments: numComments }
}

function tagsOf({ kind, author, forumId, subforum }: WorldPost, isOnFrontPage: boolean): string[] {
  const tags: string[] = [kind, `author_${author}`, `story_${forumId}`]
  if (subforum === 'ask' || subforum === 'show') tags.push(`${subforum}_hn`)
  if (isOnFrontPage) tags.push('front_page')
  return tags
}

function wordTest(query: string): (post: WorldPost) => boolean {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return () => true
  return ({ title, body }) => {
    const text = `${title}\n${body}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }
}

function wholeNumber(text: string | null, otherwise: number): number {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : otherwise
}

function secondsOf(instant: number): number {
  return Math.floor(instant / 1_000)
}
