import { describe, expect, test } from 'vitest'
import { aPost, NOON } from '#test/simulate/a-post.ts'
import type { NewPost } from './post.ts'
import { search, type SearchOrder } from './newsboard-search.ts'

/** One a second, the last one at noon. */
function stories(length: number, given: Partial<NewPost> = {}) {
  return Array.from({ length }, (_, index) =>
    aPost(
      { platform: 'newsboard', subforum: 'new', forumId: String(index + 1), ...given },
      { createdAt: NOON - (length - 1 - index) * 1_000 },
    ),
  )
}

const find = (posts: ReturnType<typeof stories>, query: string, order: SearchOrder = 'date') =>
  search(posts, { query: new URLSearchParams(query), order, now: NOON })

const idsOf = (found: ReturnType<typeof find>) => found?.hits.map(({ objectID }) => objectID)

describe('search', () => {
  test('by date is newest first, twenty a page', () => {
    const found = find(stories(45), 'tags=story&page=2')

    expect(idsOf(found)).toEqual(['5', '4', '3', '2', '1'])
    expect(found).toMatchObject({ nbHits: 45, nbPages: 3, page: 2, hitsPerPage: 20 })
  })

  test('by relevance has the most points first', () => {
    const posts = [1, 9, 5].flatMap((score) => stories(1, { forumId: String(score), score }))

    expect(idsOf(find(posts, 'tags=story', 'relevance'))).toEqual(['9', '5', '1'])
  })

  test('hands out a thousand results and no more, though it counts all', () => {
    const posts = stories(1_200)

    expect(find(posts, 'hitsPerPage=1000')).toMatchObject({ nbHits: 1_200, nbPages: 1 })
    expect(idsOf(find(posts, 'hitsPerPage=1000&page=1'))).toEqual([])
    expect(idsOf(find(posts, 'hitsPerPage=300&page=3'))).toHaveLength(100)
    expect(find(posts, 'hitsPerPage=5000')).toMatchObject({ hitsPerPage: 1_000 })
  })

  test('finds by time, and refuses a filter it cannot read', () => {
    const posts = stories(5)
    const seconds = NOON / 1_000

    const within = `numericFilters=created_at_i>${seconds - 3},created_at_i<=${seconds - 1}`

    expect(idsOf(find(posts, within))).toEqual(['4', '3'])
    expect(find(posts, 'numericFilters=created_at_i~5')).toBeNull()
  })

  test('finds by words in title and text', () => {
    const posts = [
      ...stories(1, { forumId: '1', title: 'About SQLite' }),
      ...stories(1, { forumId: '2', body: 'We use sqlite and *more*' }),
      ...stories(1, { forumId: '3' }),
    ]

    const found = find(posts, 'query=SQLite')

    expect(idsOf(found)?.toSorted()).toEqual(['1', '2'])
    expect(found?.hits.map(({ story_text }) => story_text)).toContain(
      'We use sqlite and <i>more</i>',
    )
  })

  test('does not find what was removed', () => {
    const posts = stories(2).map((post, index) => ({
      ...post,
      removal: index === 0 ? ('deleted' as const) : null,
    }))

    expect(idsOf(find(posts, ''))).toEqual(['2'])
  })
})
