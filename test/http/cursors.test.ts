// Pages: a cursor continues what was asked, and nothing else.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ListRecords } from '#src/contract/list-records.ts'
import { hours } from '#src/lib/duration.ts'
import { dataOf } from '#test/support/answers.ts'
import { expectFailure } from '#test/support/client.ts'
import {
  COMMON,
  manyPosts,
  NEWEST_AT,
  openDatasets,
  titlesOf,
  WAYS,
  type Dataset,
  type Datasets,
  type Filter,
  type GivenPost,
  type Way,
} from '#test/support/dataset.ts'
import { neighbourOf } from '#test/support/neighbour.ts'
import { ENGINES } from '#test/support/place.ts'

const ALL_POSTS = manyPosts(45).map(({ title }) => title)

/** Each filter that both operations know, given, left out and changed. */
const CHANGES: { rule: string; one: Filter; other: Filter }[] = [
  { rule: 'subforums added', one: {}, other: { subforums: ['selfhosted'] } },
  { rule: 'subforums left out', one: { subforums: ['selfhosted'] }, other: {} },
  {
    rule: 'one more',
    one: { subforums: ['selfhosted'] },
    other: { subforums: ['selfhosted', 'x'] },
  },
  { rule: 'platforms added', one: {}, other: { platforms: ['forum'] } },
  { rule: 'watcher_id added', one: {}, other: { watcher_id: 'wat_unknown' } },
  { rule: 'min_score added', one: {}, other: { min_score: 0 } },
  { rule: 'min_score changed', one: { min_score: 1 }, other: { min_score: 0 } },
  { rule: 'min_score for min_comments', one: { min_score: 0 }, other: { min_comments: 0 } },
  { rule: 'min_comments added', one: {}, other: { min_comments: 0 } },
  { rule: 'has_link added', one: {}, other: { has_link: true } },
  { rule: 'has_image left out', one: { has_image: true }, other: {} },
  { rule: 'from added', one: {}, other: { from: '2000-01-01' } },
  { rule: 'from for to', one: { from: '2000-01-01' }, other: { to: '2000-01-01' } },
  { rule: 'to changed', one: { to: '2030-01-01' }, other: { to: '2030-01-02' } },
  { rule: 'include_suppressed added', one: {}, other: { include_suppressed: true } },
]

const BOTH = ['selfhosted', 'rust']

const SAME: { rule: string; one: Filter; other: Filter }[] = [
  { rule: 'defaults written out', one: {}, other: { include_suppressed: false, has_link: false } },
  { rule: 'an empty list', one: {}, other: { subforums: [], platforms: [] } },
  {
    rule: 'a list in another order',
    one: { subforums: BOTH },
    other: { subforums: BOTH.toReversed() },
  },
  { rule: 'a repeat', one: { subforums: BOTH }, other: { subforums: [...BOTH, 'r/Rust'] } },
  {
    rule: 'a date as its instant',
    one: { from: '2020-01-01' },
    other: { from: '2020-01-01T00:00:00Z' },
  },
]

describe.each(ENGINES)('cursors on %s', (engine) => {
  let datasets: Datasets
  beforeAll(async () => {
    datasets = await openDatasets(engine)
  })
  afterAll(() => datasets[Symbol.asyncDispose]())

  describe.each(WAYS)('of %s', (way) => {
    test.each([
      { posts: 0, pages: [0] },
      { posts: 1, pages: [1] },
      { posts: 19, pages: [19] },
      { posts: 20, pages: [20] },
      { posts: 21, pages: [20, 1] },
      { posts: 40, pages: [20, 20] },
      { posts: 41, pages: [20, 20, 1] },
    ])('nextCursor is null exactly on the last page: $posts records are $pages', async (given) => {
      const dataset = await datasets.holding(manyPosts(given.posts))

      const pages = await pagesOf(dataset, way)

      expect(pages.map((titles) => titles.length)).toEqual(given.pages)
    })

    test('limit 40 of 40 is one page, and limit 1 of 3 is three', async () => {
      const forty = await datasets.holding(manyPosts(40))
      const three = await datasets.holding(manyPosts(3))

      expect(await pagesOf(forty, way, { limit: 40 })).toHaveLength(1)
      expect(await pagesOf(three, way, { limit: 1 })).toEqual([['post 0'], ['post 1'], ['post 2']])
    })

    test('every record is on exactly one page, in the order of one long list', async () => {
      const dataset = await datasets.holding(manyPosts(45))

      expect((await pagesOf(dataset, way, { limit: 7 })).flat()).toEqual(ALL_POSTS)
    })

    test('posts of one instant are parted like all others', async () => {
      const dataset = await datasets.holding(manyPosts(45, { createdAt: NEWEST_AT }))

      const titles = (await pagesOf(dataset, way, { limit: 7 })).flat()

      expect(titles).toHaveLength(45)
      expect(titles.toSorted()).toEqual(ALL_POSTS.toSorted())
    })

    test('the last page is found too when much behind it does not pass the filters', async () => {
      const posts = manyPosts(60).map((post, index) => ({ ...post, score: index < 20 ? 9 : 1 }))
      const dataset = await datasets.holding(posts)

      const pages = await pagesOf(dataset, way, { min_score: 9 })

      expect(pages).toEqual([ALL_POSTS.slice(0, 20)])
    })

    test('limit may change between pages', async () => {
      const dataset = await datasets.holding(manyPosts(45))

      const first = await dataset.found(way, { limit: 5 })
      const second = await dataset.found(way, { limit: 40, cursor: first.nextCursor })
      const byDefault = await dataset.found(way, { cursor: first.nextCursor })

      expect(titlesOf(first)).toEqual(ALL_POSTS.slice(0, 5))
      expect(titlesOf(second)).toEqual(ALL_POSTS.slice(5))
      expect(second.nextCursor).toBeNull()
      expect(titlesOf(byDefault)).toEqual(ALL_POSTS.slice(5, 25))
    })

    test('a cursor may be used again, and answers the same', async () => {
      const dataset = await datasets.holding(manyPosts(5))
      const { nextCursor: cursor } = await dataset.found(way, { limit: 2 })

      const once = await dataset.found(way, { limit: 2, cursor })

      expect(await dataset.found(way, { limit: 2, cursor })).toEqual(once)
    })

    test('what is ingested meanwhile appears nowhere twice and hides nothing', async () => {
      const dataset = await datasets.holding(manyPosts(9))
      const first = await dataset.found(way, { limit: 3 })
      const at = (ms: number): GivenPost => ({ title: `later ${ms}`, createdAt: NEWEST_AT + ms })

      // Newer ones, some between those that were seen, and some between those that were not.
      await dataset.keep([at(1), at(2), at(-hours(1) - 1), at(-hours(2) - 1), at(-hours(5) - 1)])
      const rest = await pagesOf(dataset, way, { limit: 3, cursor: first.nextCursor })

      const seen = [...titlesOf(first), ...rest.flat()]
      expect(seen.filter((title) => title.startsWith('post'))).toEqual(ALL_POSTS.slice(0, 9))
      expect(new Set(seen).size).toBe(seen.length)
    })

    test('the record a page ended with may be gone when the next one is asked for', async () => {
      const dataset = await datasets.holding(manyPosts(6))
      const { nextCursor: cursor } = await dataset.found(way, { limit: 3 })

      await dataset.remove(['post 2', 'post 3'])

      expect(titlesOf(await dataset.found(way, { limit: 3, cursor }))).toEqual(['post 4', 'post 5'])
    })

    test('is text that fits into an address as it is', async () => {
      const dataset = await datasets.holding(manyPosts(2))

      const { nextCursor } = await dataset.found(way, { limit: 1 })

      expect(nextCursor).toMatch(/^[\w-]{1,500}$/)
    })

    test.each(CHANGES)(
      'made for other filters is INVALID_CURSOR: $rule',
      async ({ one, other }) => {
        const dataset = await datasets.holding(manyPosts(2, { url: 'https://a.test/b.png' }))
        const { nextCursor: cursor } = await dataset.found(way, { ...one, limit: 1 })
        expect(cursor).not.toBeNull()

        const answer = await dataset.find(way, { ...other, limit: 1, cursor })

        expectFailure(answer, 400, 'INVALID_CURSOR')
      },
    )

    test.each(SAME)('what means the same is the same: $rule', async ({ one, other }) => {
      const dataset = await datasets.holding(manyPosts(2))
      const { nextCursor: cursor } = await dataset.found(way, { ...one, limit: 1 })

      const page = await dataset.found(way, { ...other, limit: 1, cursor })

      expect(titlesOf(page)).toEqual(['post 1'])
    })

    test('of another organization is INVALID_CURSOR', async () => {
      const other = await datasets.holding(manyPosts(2))
      const dataset = await datasets.holding(manyPosts(2))
      const { nextCursor: cursor } = await other.found(way, { limit: 1 })

      expectFailure(await dataset.find(way, { limit: 1, cursor }), 400, 'INVALID_CURSOR')
    })

    test('of the other operation is INVALID_CURSOR', async () => {
      const dataset = await datasets.holding(manyPosts(2))
      const otherWay = WAYS.find((another) => another !== way) ?? way
      const { nextCursor: cursor } = await dataset.found(otherWay, { limit: 1 })

      expectFailure(await dataset.find(way, { limit: 1, cursor }), 400, 'INVALID_CURSOR')
    })

    test('tampered with at any place is INVALID_CURSOR', async () => {
      const dataset = await datasets.holding(manyPosts(2))
      const { nextCursor } = await dataset.found(way, { limit: 1 })
      const cursor = nextCursor ?? ''

      for (const index of cursor.split('').keys()) {
        const changed = cursor[index] === 'A' ? 'B' : 'A'
        const tampered = `${cursor.slice(0, index)}${changed}${cursor.slice(index + 1)}`
        expectFailure(
          await dataset.find(way, { limit: 1, cursor: tampered }),
          400,
          'INVALID_CURSOR',
        )
      }
    })

    test('truncated, lengthened or written otherwise is INVALID_CURSOR', async () => {
      const dataset = await datasets.holding(manyPosts(2))
      const { nextCursor } = await dataset.found(way, { limit: 1 })
      const cursor = nextCursor ?? ''
      const wrong = [
        cursor.slice(0, -1),
        cursor.slice(1),
        cursor.slice(0, 8),
        `${cursor}A`,
        `${cursor}=`,
        `${cursor}\n`,
        ` ${cursor}`,
        `${cursor}${cursor}`,
        cursor.toLowerCase(),
        Buffer.from(cursor, 'base64url').toString('hex'),
      ]

      for (const one of wrong) {
        expectFailure(await dataset.find(way, { limit: 1, cursor: one }), 400, 'INVALID_CURSOR')
      }
    })

    test('empty, overlong or nothing of ours is INVALID_CURSOR', async () => {
      const dataset = await datasets.holding(manyPosts(2))
      const wrong = [
        '',
        ' ',
        'null',
        '0',
        '2',
        'W10',
        'é🚀',
        "' or 1=1",
        '../..',
        'A'.repeat(8_000),
      ]

      for (const cursor of wrong) {
        expectFailure(await dataset.find(way, { cursor }), 400, 'INVALID_CURSOR')
      }
    })

    test('is looked at even where there is nothing to find', async () => {
      const dataset = await datasets.holding()

      const answer = await dataset.find(way, { watcher_id: 'wat_unknown', cursor: 'x' })

      expectFailure(answer, 400, 'INVALID_CURSOR')
    })

    test('says in its message what to do, and nothing of how it is made', async () => {
      const dataset = await datasets.holding()

      const { body } = await dataset.find(way, { cursor: 'x' })

      expect(body.error?.message).toMatch(/nextCursor/)
      expect(body.error).not.toHaveProperty('details')
    })

    test('is good in every process on the same data', async () => {
      const dataset = await datasets.holding(manyPosts(3))
      const { nextCursor: cursor } = await dataset.found(way, { limit: 1 })
      await using neighbour = await neighbourOf(datasets.home)

      const answer = await dataset.find(way, { limit: 1, cursor }, neighbour)

      expect(answer.body.data['items']).toEqual([expect.objectContaining({ title: 'post 1' })])
    })
  })

  describe('of the matched view', () => {
    async function matched(): Promise<Dataset> {
      const dataset = await datasets.holding()
      await dataset.watch({ rules: [{ any: ['post'] }] })
      const posts = manyPosts(30).map((post, index) => ({
        ...post,
        createdAt: NEWEST_AT - hours(index),
        score: index % 4,
        numComments: index % 3,
      }))
      for (const [ms, some] of Map.groupBy(posts, (post) => posts.indexOf(post) % 5)) {
        await dataset.keep(some, { at: NEWEST_AT + ms })
      }
      return dataset
    }

    test.each(['firstSeenAt', 'score', 'numComments'])(
      'sort=%s: each record once, in the order of one long list, with many ties',
      async (sort) => {
        const dataset = await matched()
        const whole = await dataset.listed({ view: 'matched', sort, limit: 40 })

        const pages = await pagesOf(dataset, 'GET /v1/records', { view: 'matched', sort, limit: 4 })

        expect(pages.flat()).toEqual(titlesOf(whole))
        expect(new Set(pages.flat()).size).toBe(30)
        expect(pages).toHaveLength(8)
      },
    )

    test('sort=firstSeenAt: what is ingested meanwhile hides nothing', async () => {
      const dataset = await matched()
      const asked = { view: 'matched', limit: 4 }
      const whole = titlesOf(await dataset.listed({ view: 'matched', limit: 40 }))
      const first = await dataset.listed(asked)

      await dataset.keep([{ title: 'a later post' }], { at: NEWEST_AT + hours(1) })
      const rest = await pagesOf(dataset, 'GET /v1/records', { ...asked, cursor: first.nextCursor })

      expect([...titlesOf(first), ...rest.flat()]).toEqual(whole)
    })

    test.each([
      { one: {}, other: { sort: 'score' } },
      { one: { sort: 'score' }, other: { sort: 'numComments' } },
      { one: {}, other: { read: false } },
      { one: { read: false }, other: {} },
      { one: {}, other: { tags: ['a'] } },
      { one: {}, other: { archived: true } },
      { one: {}, other: { view: 'all' } },
    ])('made for $one is INVALID_CURSOR for $other', async ({ one, other }) => {
      const dataset = await matched()
      const asked = { view: 'matched', limit: 1 }
      const { nextCursor: cursor } = await dataset.listed({ ...asked, ...one })

      const answer = await dataset.list({ ...asked, ...other, cursor })

      expectFailure(answer, 400, 'INVALID_CURSOR')
    })

    test('of view=all: what has no effect there does not matter', async () => {
      const dataset = await matched()
      const { nextCursor: cursor } = await dataset.listed({ limit: 1, sort: 'score', tags: ['a'] })

      for (const filter of [{}, { read: true }, { archived: true }, { sort: 'numComments' }]) {
        const page = await dataset.listed({ limit: 1, cursor, ...filter })

        expect(titlesOf(page)).toEqual(['post 1'])
      }
    })
  })

  test('a cursor that a key was given is good with a session of the organization', async () => {
    const dataset = await datasets.holding(manyPosts(2))
    const { nextCursor } = await dataset.listed({ limit: 1 })
    const client = await dataset.signedIn()

    const answer = await client.get(`/api/v1/records?limit=1&cursor=${nextCursor}`)

    expect(titlesOf(dataOf(answer, ListRecords))).toEqual(['post 1'])
  })

  test('a cursor of one key is good with another key of the organization', async () => {
    const dataset = await datasets.holding(manyPosts(2))
    const { nextCursor } = await dataset.listed({ limit: 1 })
    const { organizationId } = dataset
    const { key } = await datasets.home.createKey({ organizationId, scopes: ['records:read'] })

    const asked = { limit: 1, cursor: nextCursor }
    const answer = await dataset.find('GET /v1/records', asked, { key })

    expect(titlesOf(dataOf(answer, ListRecords))).toEqual(['post 1'])
  })

  test('search: a cursor is bound to q, include and exclude', async () => {
    const dataset = await datasets.holding(manyPosts(2))
    const asked = { q: 'post', include: ['common'], exclude: ['x'], limit: 1 }
    const { nextCursor: cursor } = await dataset.searched(asked)

    for (const other of [{ q: 'pos' }, { include: [] }, { include: ['words'] }, { exclude: [] }]) {
      expectFailure(await dataset.search({ ...asked, ...other, cursor }), 400, 'INVALID_CURSOR')
    }
    const moved = { ...asked, include: ['x'], exclude: ['common'] }
    expectFailure(await dataset.search({ ...moved, cursor }), 400, 'INVALID_CURSOR')
    const page = await dataset.searched({ ...asked, q: ' POST ', mode: 'keyword', cursor })
    expect(titlesOf(page)).toEqual(['post 1'])
  })

  test('list: a cursor is bound to keyword', async () => {
    const dataset = await datasets.holding(manyPosts(2))
    const { nextCursor: cursor } = await dataset.listed({ keyword: 'post', limit: 1 })

    for (const other of [{}, { keyword: COMMON }]) {
      expectFailure(await dataset.list({ ...other, limit: 1, cursor }), 400, 'INVALID_CURSOR')
    }
  })
})

/** The titles of every page from this request on. */
async function pagesOf(dataset: Dataset, way: Way, filter: Filter = {}): Promise<string[][]> {
  const pages: string[][] = []
  let { cursor } = filter
  for (;;) {
    const page = await dataset.found(way, cursor === undefined ? filter : { ...filter, cursor })
    pages.push(titlesOf(page))
    if (page.nextCursor === null) return pages
    cursor = page.nextCursor
  }
}
