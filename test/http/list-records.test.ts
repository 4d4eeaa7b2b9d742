// GET /v1/records, line by line: each parameter with its default, its limits and its rule. The shape of
// a record, cursors and who may ask have files of their own.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hours } from '#src/lib/duration.ts'
import { newId } from '#src/lib/id.ts'
import { removeWatcher } from '#src/watchers/remove-watcher.ts'
import { invalidPaths } from '#test/support/answers.ts'
import { expectFailure } from '#test/support/client.ts'
import {
  manyPosts,
  NEWEST_AT,
  openDatasets,
  titlesOf,
  type Dataset,
  type Datasets,
} from '#test/support/dataset.ts'
import { FILTER_RULES, REFUSED_FILTERS } from '#test/support/filter-rules.ts'
import { ENGINES } from '#test/support/place.ts'
import { TEXT_RULES } from '#test/support/text-rules.ts'

const NEEDLE = { rules: [{ any: ['needle'], tags: ['found'] }] }

describe.each(ENGINES)('GET /v1/records on %s', (engine) => {
  let datasets: Datasets
  beforeAll(async () => {
    datasets = await openDatasets(engine)
  })
  afterAll(() => datasets[Symbol.asyncDispose]())

  describe('the answer', () => {
    test('is an envelope with items and nextCursor, and nothing else', async () => {
      const dataset = await datasets.holding([{ title: 'one' }])

      const { status, body } = await dataset.list()

      expect(status).toBe(200)
      expect(body).toEqual({
        success: true,
        data: { items: [expect.anything()], nextCursor: null },
      })
    })

    test('of an empty dataset: items is empty and nextCursor null', async () => {
      const dataset = await datasets.holding()

      for (const query of ['', 'view=matched', 'keyword=a', 'view=matched&sort=score']) {
        expect(await dataset.listed(query)).toEqual({ items: [], nextCursor: null })
      }
    })

    test('has nothing of a post that its platform took down', async () => {
      const dataset = await datasets.holding([{ title: 'stays' }, { title: 'goes' }])

      await dataset.remove(['goes'])

      expect(titlesOf(await dataset.listed())).toEqual(['stays'])
      expect(titlesOf(await dataset.listed({ keyword: 'goes' }))).toEqual([])
    })
  })

  describe('view', () => {
    test('default all: every post, newest first by forumCreatedAt', async () => {
      const dataset = await datasets.holding()
      await dataset.watch(NEEDLE)
      // Neither the order of arrival nor that of scores is the order of the answer.
      await dataset.keep([
        { title: 'middle', createdAt: NEWEST_AT - hours(1), score: 1 },
        { title: 'needle of old', createdAt: NEWEST_AT - hours(2), score: 99 },
        { title: 'newest', createdAt: NEWEST_AT, score: 5 },
      ])

      const byDefault = await dataset.listed()

      expect(titlesOf(byDefault)).toEqual(['newest', 'middle', 'needle of old'])
      expect(await dataset.listed({ view: 'all' })).toEqual(byDefault)
    })

    test('all: posts of the same instant are in descending order of their ids', async () => {
      const dataset = await datasets.holding(manyPosts(10, { createdAt: NEWEST_AT }))

      const ids = (await dataset.listed()).items.map(({ id }) => id)

      expect(ids).toEqual(ids.toSorted().toReversed())
      expect(new Set(ids).size).toBe(10)
    })

    test('matched: only posts that a watcher’s rules matched', async () => {
      const dataset = await datasets.holding()
      await dataset.watch(NEEDLE)
      await dataset.keep([{ title: 'a needle' }, { title: 'hay' }, { title: 'another needle' }])

      const page = await dataset.listed({ view: 'matched' })

      expect(titlesOf(page).sort()).toEqual(['a needle', 'another needle'])
      expect(page.items.every(({ matched }) => matched)).toBe(true)
    })

    test('all: tags, read, archived and sort have no effect', async () => {
      const dataset = await datasets.holding()
      await dataset.watch(NEEDLE)
      await dataset.keep([
        { title: 'hay', score: 1 },
        { title: 'needle', score: 9, numComments: 9 },
      ])
      await dataset.mark(['needle'], { read: 1, archived: 1 })

      for (const query of [
        'tags=found',
        'tags=nowhere',
        'read=true',
        'read=false',
        'archived=true',
        'archived=false',
        'sort=score',
        'sort=numComments',
        'tags=x&read=true&archived=true&sort=score&view=all',
      ]) {
        expect(titlesOf(await dataset.listed(query))).toEqual(['hay', 'needle'])
      }
    })

    test('another value is INVALID_REQUEST', async () => {
      await expectRefused(await datasets.holding(), 'view', ['view=ALL', 'view=', 'view=mine'])
    })
  })

  describe('sort, which applies to the matched view', () => {
    /** Told apart by each of the three, in another order every time; the ids go with the numbers. */
    async function sortable(): Promise<Dataset> {
      const dataset = await datasets.holding()
      await dataset.watch(NEEDLE)
      const posts = [
        { title: 'needle 1', score: 5, numComments: 1, seenAt: 3 },
        { title: 'needle 2', score: 9, numComments: 7, seenAt: 1 },
        { title: 'needle 3', score: -2, numComments: 8, seenAt: 2 },
        { title: 'needle 4', score: 5, numComments: 7, seenAt: 3 },
      ]
      for (const { seenAt, ...post } of posts) {
        await dataset.keep([post], { at: NEWEST_AT + hours(seenAt) })
      }
      return dataset
    }

    test.each([
      { query: '', order: [1, 4, 3, 2] },
      { query: '&sort=firstSeenAt', order: [1, 4, 3, 2] },
      { query: '&sort=score', order: [2, 1, 4, 3] },
      { query: '&sort=numComments', order: [3, 2, 4, 1] },
    ])('view=matched$query: descending, then by id; the default is firstSeenAt', async (sorted) => {
      const dataset = await sortable()

      const page = await dataset.listed(`view=matched${sorted.query}`)

      expect(titlesOf(page)).toEqual(sorted.order.map((number) => `needle ${number}`))
    })

    test('another value is INVALID_REQUEST, in either view', async () => {
      const dataset = await datasets.holding()

      const wrong = ['sort=createdAt', 'sort=Score', 'sort=', 'view=matched&sort=-score']
      await expectRefused(dataset, 'sort', wrong)
    })
  })

  describe('tags', () => {
    async function tagged(): Promise<Dataset> {
      const dataset = await datasets.holding()
      await dataset.watch({ rules: [{ any: ['red'], tags: ['colour', 'warm'] }] })
      await dataset.watch({ rules: [{ any: ['blue'], tags: ['colour', 'two words'] }] })
      await dataset.watch({ rules: [{ any: ['plain'] }] })
      await dataset.keep([
        { title: 'red' },
        { title: 'blue' },
        { title: 'plain' },
        { title: 'none' },
      ])
      return dataset
    }

    test.each([
      { tags: 'colour', found: ['red', 'blue'] },
      { tags: 'warm', found: ['red'] },
      { tags: 'two words', found: ['blue'] },
      { tags: 'warm,two words', found: ['red', 'blue'] },
      { tags: ' warm , ,nowhere', found: ['red'] },
      { tags: 'nowhere', found: [] },
      { tags: 'col', found: [] },
      { tags: '%', found: [] },
      { tags: '', found: ['red', 'blue', 'plain'] },
    ])('tags=$tags: only records with any of them (matched view)', async ({ tags, found }) => {
      const dataset = await tagged()

      expect(titlesOf(await dataset.listed({ view: 'matched', tags }))).toEqual(found)
    })
  })

  describe('watcher_id', () => {
    test('all: the posts of its channels, whichever way they came, and what it matched', async () => {
      const dataset = await datasets.holding()
      const channels = [{ platform: 'newsboard' as const, subforum: 'ask' }]
      const id = await dataset.watch({ channels, rules: [{ any: ['needle'] }] })
      await dataset.watch()
      await dataset.keep([
        { title: 'a needle of its channel', platform: 'newsboard', subforum: 'ask' },
        { title: 'in its channel', platform: 'newsboard', subforum: 'Ask' },
        { title: 'the same name on the forum', platform: 'forum', subforum: 'ask' },
        { title: 'elsewhere', platform: 'newsboard', subforum: 'new' },
      ])
      await dataset.keep([{ title: 'listed there', platform: 'newsboard', subforum: 'show' }], {
        seenIn: 'ask',
      })

      const page = await dataset.listed({ watcher_id: id })

      expect(titlesOf(page)).toEqual(['a needle of its channel', 'in its channel', 'listed there'])
    })

    test('all: what it matched stays its own when it watches other channels', async () => {
      const dataset = await datasets.holding()
      const id = await dataset.watch(NEEDLE)
      await dataset.keep([{ title: 'needle' }, { title: 'hay' }])
      await dataset.moveWatcher(id, 'rust')

      expect(titlesOf(await dataset.listed({ watcher_id: id }))).toEqual(['needle'])
    })

    test('matched: what this watcher matched, not what others did', async () => {
      const dataset = await datasets.holding()
      const needles = await dataset.watch(NEEDLE)
      const pins = await dataset.watch({ rules: [{ any: ['pin'] }] })
      await dataset.keep([{ title: 'needle' }, { title: 'pin' }, { title: 'needle and pin' }])

      const byNeedles = await dataset.listed({ view: 'matched', watcher_id: needles })
      const byPins = await dataset.listed({ view: 'matched', watcher_id: pins })

      expect(titlesOf(byNeedles)).toEqual(['needle', 'needle and pin'])
      expect(titlesOf(byPins)).toEqual(['pin', 'needle and pin'])
    })

    test('unknown: an empty result, not an error', async () => {
      const dataset = await datasets.holding([{ title: 'one' }])
      const wrong = [newId('wat', NEWEST_AT), 'wat_1', 'x', '', "' or 1=1 --", 'x'.repeat(4_000)]

      for (const id of wrong) await expectNothingOf(dataset, id)
    })

    test('of another organization: the same as unknown', async () => {
      const other = await datasets.holding()
      const id = await other.watch(NEEDLE)
      const dataset = await datasets.holding()
      await dataset.watch(NEEDLE)
      await dataset.keep([{ title: 'needle' }])

      await expectNothingOf(dataset, id)
    })

    test('of a watcher that was deleted: the same as unknown', async () => {
      const dataset = await datasets.holding()
      const id = await dataset.watch(NEEDLE)
      await dataset.keep([{ title: 'needle' }])
      const { organizationId } = dataset
      await removeWatcher(datasets.home.app.db, { organizationId, id })

      await expectNothingOf(dataset, id)
    })
  })

  describe('read and archived, in the matched view', () => {
    async function marked(): Promise<Dataset> {
      const dataset = await datasets.holding()
      await dataset.watch(NEEDLE)
      const titles = ['new', 'read', 'archived', 'both'].map((said) => `needle ${said}`)
      await dataset.keep(titles.map((title) => ({ title })))
      await dataset.mark(['needle read', 'needle both'], { read: 1 })
      await dataset.mark(['needle archived', 'needle both'], { archived: 1 })
      return dataset
    }

    test.each([
      { query: '', found: ['new', 'read'], rule: 'by default only non-archived records' },
      { query: 'archived=false', found: ['new', 'read'], rule: 'the same as the default' },
      { query: 'archived=true', found: ['archived', 'both'], rule: 'only archived records' },
      { query: 'read=true', found: ['read'], rule: 'only those that were read' },
      { query: 'read=false', found: ['new'], rule: 'only those that were not read' },
      { query: 'read=true&archived=true', found: ['both'], rule: 'both' },
      { query: 'read=false&archived=true', found: ['archived'], rule: 'each for itself' },
    ])('view=matched $query: $rule', async ({ query, found }) => {
      const dataset = await marked()

      const page = await dataset.listed(`view=matched&${query}`)

      expect(titlesOf(page)).toEqual(found.map((said) => `needle ${said}`))
    })

    test('read, archived: only true and false', async () => {
      const dataset = await datasets.holding()

      await expectRefused(dataset, 'read', ['read=1', 'read=', 'read=True', 'read=unread'])
      await expectRefused(dataset, 'archived', ['archived=0', 'archived=', 'archived=all'])
    })
  })

  test('include_suppressed, default false: hides coincidental records in both views', async () => {
    const dataset = await datasets.holding()
    const states = ['pending', 'confirmed', 'coincidental']
    await dataset.keepMatched(states.map((title) => ({ title })))
    for (const state of states) await dataset.mark([state], { verification: state })

    for (const view of ['all', 'matched']) {
      const hidden = await dataset.listed({ view })

      expect(titlesOf(hidden)).toEqual(['pending', 'confirmed'])
      expect(await dataset.listed({ view, include_suppressed: false })).toEqual(hidden)
      expect(titlesOf(await dataset.listed({ view, include_suppressed: true }))).toEqual(states)
    }
  })

  test.each([
    { query: '', items: 20, rule: 'default 20' },
    { query: 'limit=1', items: 1, rule: 'at least 1' },
    { query: 'limit=40', items: 40, rule: 'at most 40' },
  ])('limit: $rule', async ({ query, items }) => {
    const dataset = await datasets.holding(manyPosts(41))

    const page = await dataset.listed(query)

    expect(page.items).toHaveLength(items)
    expect(page.nextCursor).toEqual(expect.any(String))
  })

  describe('keyword', () => {
    test.each(TEXT_RULES)('$rule: found $matches', async (rule) => {
      const { title, body = '', text, matches } = rule
      const dataset = await datasets.holding()
      await dataset.keepMatched([{ title, body }])

      for (const view of ['all', 'matched']) {
        const page = await dataset.listed({ keyword: text, view })

        expect(titlesOf(page)).toEqual(matches ? [title] : [])
      }
    })

    test('is trimmed, and has 1 to 400 characters', async () => {
      const long = 'x'.repeat(400)
      const dataset = await datasets.holding([{ title: 'needle' }, { title: 'long', body: long }])

      expect(titlesOf(await dataset.listed({ keyword: ' \n needle\t ' }))).toEqual(['needle'])
      expect(titlesOf(await dataset.listed({ keyword: long }))).toEqual(['long'])
      await expectRefused(dataset, 'keyword', ['keyword=', 'keyword=%20', `keyword=${long}x`])
    })
  })

  describe('the filters both operations know', () => {
    test.each(FILTER_RULES)('$rule', async ({ posts, filter, found }) => {
      const dataset = await datasets.holding()
      await dataset.keepMatched(posts)

      expect(titlesOf(await dataset.listed(filter))).toEqual(found)
      expect(titlesOf(await dataset.listed({ ...filter, view: 'matched' }))).toEqual(found)
    })

    test.each(REFUSED_FILTERS)('$rule', async ({ filters, path }) => {
      const dataset = await datasets.holding()

      for (const filter of filters) await expectRefused(dataset, path, [filter])
    })

    test('platforms: anything but forum and newsboard is INVALID_REQUEST, by its place', async () => {
      const dataset = await datasets.holding()

      await expectRefused(dataset, 'platforms.0', ['platforms=Forum', 'platforms=x,forum'])
      await expectRefused(dataset, 'platforms.1', ['platforms=forum,reddit', 'platforms=,forum,,x'])
    })
  })

  describe('how a query string is written', () => {
    test('an unknown parameter is refused by name', async () => {
      const dataset = await datasets.holding()

      for (const name of ['limt', 'subforum', 'platform', 'Limit', 'q', 'include', 'watcherId']) {
        await expectRefused(dataset, name, [`${name}=1`])
      }
      await expectRefused(dataset, 'subforums[]', ['subforums[]=rust'])
    })

    test('a parameter given twice is refused, a list too', async () => {
      const dataset = await datasets.holding()

      for (const name of [
        'subforums',
        'tags',
        'limit',
        'keyword',
        'view',
        'cursor',
        'watcher_id',
      ]) {
        await expectRefused(dataset, name, [`${name}=1&${name}=2`])
      }
      await expectRefused(dataset, 'platforms', ['platforms=forum&platforms=newsboard'])
    })

    test('numbers are plain decimals', async () => {
      const dataset = await datasets.holding([{ title: 'one', score: 5 }])
      const wrong = ['1e3', '0x5', '%2B5', '5%20', '', '.5', '1,5', 'NaN', 'Infinity']

      expect(titlesOf(await dataset.listed('min_score=5.0'))).toEqual(['one'])
      await expectRefused(
        dataset,
        'min_score',
        wrong.map((value) => `min_score=${value}`),
      )
    })

    test('a number may be huge: everything is below it, or above it', async () => {
      const dataset = await datasets.holding([{ title: 'one' }])

      for (const name of ['min_score', 'min_comments']) {
        for (const digits of ['99999999999999999999', '9223372036854775808', '9'.repeat(400)]) {
          expect(titlesOf(await dataset.listed(`${name}=${digits}`))).toEqual([])
          expect(titlesOf(await dataset.listed(`${name}=-${digits}`))).toEqual(['one'])
        }
      }
    })

    test('lists are comma-separated, blanks trimmed, empty elements ignored', async () => {
      const dataset = await datasets.holding([
        { title: 'one', subforum: 'rust' },
        { title: 'two', subforum: 'go' },
        { title: 'three', subforum: 'zig' },
      ])

      const page = await dataset.listed('subforums=%20rust%20,,%20,go,')

      expect(titlesOf(page)).toEqual(['one', 'two'])
    })

    test('a list may be very long: 1,000 names, not 1,001', async () => {
      const dataset = await datasets.holding([{ title: 'one', subforum: 'c7' }])
      const names = Array.from({ length: 1_001 }, (_, index) => `c${index}`)

      expect(titlesOf(await dataset.listed({ subforums: names.slice(1) }))).toEqual(['one'])
      expect(titlesOf(await dataset.listed({ view: 'matched', tags: names.slice(1) }))).toEqual([])
      await expectRefused(dataset, 'subforums', [{ subforums: names }])
      await expectRefused(dataset, 'tags', [{ tags: names }])
    })

    test('a NUL character is refused, wherever it is', async () => {
      const dataset = await datasets.holding()

      for (const name of ['keyword', 'watcher_id', 'subforums', 'tags', 'cursor', 'view']) {
        await expectRefused(dataset, name, [`${name}=a%00b`])
      }
    })

    test('all mistakes at once are in details, the unknown ones too', async () => {
      const dataset = await datasets.holding()

      const answer = await dataset.list(
        'view=x&limit=0&min_score=a&platforms=y&from=z&archived=1&sort=q&keyword=&limt=5',
      )

      expectFailure(answer, 400, 'INVALID_REQUEST')
      const names = 'archived from keyword limit limt min_score platforms.0 sort view'
      expect(invalidPaths(answer).sort()).toEqual(names.split(' '))
    })

    test('from after to is told together with every other mistake', async () => {
      const dataset = await datasets.holding()

      const answer = await dataset.list('from=2026-03-02&to=2026-03-01&limt=5&view=x&limit=0')

      expectFailure(answer, 400, 'INVALID_REQUEST')
      expect(invalidPaths(answer).sort()).toEqual(['from', 'limit', 'limt', 'view'])
    })
  })
})

async function expectNothingOf(dataset: Dataset, watcher_id: string): Promise<void> {
  for (const view of ['all', 'matched']) {
    expect(await dataset.listed({ watcher_id, view })).toEqual({ items: [], nextCursor: null })
  }
}

async function expectRefused(
  dataset: Dataset,
  path: string,
  queries: readonly Parameters<Dataset['list']>[0][],
): Promise<void> {
  for (const query of queries) {
    const answer = await dataset.list(query)

    expectFailure(answer, 400, 'INVALID_REQUEST')
    expect(invalidPaths(answer)).toEqual([path])
  }
}
