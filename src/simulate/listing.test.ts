import { describe, expect, test } from 'vitest'
import { aListing, aPost } from '#test/simulate/a-post.ts'
import { listingPage, pageLimit, positionIn } from './listing.ts'

const FIVE = aListing(5) // ids 5, 4, 3, 2, 1
const idsOf = (posts: readonly { forumId: string }[]) => posts.map(({ forumId }) => forumId)

describe('a page', () => {
  test.each([
    { terms: { limit: 2 }, ids: ['5', '4'], after: 't3_4', before: null },
    { terms: { limit: 2, after: 1 }, ids: ['3', '2'], after: 't3_2', before: null },
    { terms: { limit: 2, after: 3 }, ids: ['1'], after: null, before: null },
    { terms: { limit: 5 }, ids: ['5', '4', '3', '2', '1'], after: null, before: null },
    { terms: { limit: 2, after: 4 }, ids: [], after: null, before: null },
    { terms: { limit: 2, before: 3 }, ids: ['4', '3'], after: null, before: 't3_4' },
    { terms: { limit: 2, before: 1 }, ids: ['5'], after: null, before: null },
    { terms: { limit: 2, before: 0 }, ids: [], after: null, before: null },
    { terms: { limit: 2, before: 5 }, ids: ['2', '1'], after: null, before: 't3_2' },
    { terms: { limit: 2, before: null }, ids: [], after: null, before: null },
    { terms: { limit: 2, after: null }, ids: [], after: null, before: null },
  ])('of $terms is $ids', ({ terms, ids, after, before }) => {
    const page = listingPage(FIVE, terms)

    expect({ ...page, posts: idsOf(page.posts) }).toEqual({ posts: ids, after, before })
  })
})

describe('the position of an anchor', () => {
  test('is where it stands in the listing', () => {
    expect(positionIn(FIVE, FIVE[3])).toBe(3)
  })

  test('is below everything when the listing is not deep enough to hold it', () => {
    expect(positionIn(FIVE, aPost({ forumId: '0' }))).toBe(5)
  })

  test('is nowhere when the post is unknown or removed', () => {
    expect(positionIn(FIVE, undefined)).toBeNull()
    expect(positionIn(FIVE, aPost({}, { removal: 'moderator' }))).toBeNull()
  })
})

test.each([
  { asked: null, limit: 25 },
  { asked: '7', limit: 7 },
  { asked: '500', limit: 100 },
  { asked: '0', limit: 1 },
  { asked: 'all', limit: 25 },
])('a limit of $asked means $limit', ({ asked, limit }) => {
  expect(pageLimit(asked)).toBe(limit)
})
