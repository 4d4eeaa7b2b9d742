// POST /v1/search in keyword mode, line by line: each field with its default, its limits and its rule.
// The shape of a record, cursors and who may ask have files of their own.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#src/lib/id.ts'
import { removeWatcher } from '#src/watchers/remove-watcher.ts'
import { invalidPaths } from '#test/support/answers.ts'
import { Client, expectFailure } from '#test/support/client.ts'
import {
  COMMON,
  manyPosts,
  NEWEST_AT,
  openDatasets,
  titlesOf,
  type Dataset,
  type Datasets,
} from '#test/support/dataset.ts'
import { FILTER_RULES, REFUSED_FILTERS } from '#test/support/filter-rules.ts'
import { ENGINES } from '#test/support/place.ts'
import { TERM_RULES, TEXT_RULES, VEHICLES } from '#test/support/text-rules.ts'

const BODY_LIMIT_BYTES = 256 * 1_024

const NEEDLE = { rules: [{ any: ['needle'], tags: ['found'] }] }
const q = COMMON

describe.each(ENGINES)('POST /v1/search on %s', (engine) => {
  let datasets: Datasets
  beforeAll(async () => {
    datasets = await openDatasets(engine)
  })
  afterAll(() => datasets[Symbol.asyncDispose]())

  describe('the answer', () => {
    test('has items, nextCursor, mode, tier, embeddedCount and channels, nothing else', async () => {
      const dataset = await datasets.holding([{ title: 'one' }])

      const { status, body } = await dataset.search({ q })

      expect(status).toBe(200)
      expect(body).toEqual({
        success: true,
        data: {
          items: [expect.objectContaining({ title: 'one' })],
          nextCursor: null,
          mode: 'keyword',
          tier: 'quick',
          embeddedCount: 0,
          channels: ['selfhosted'],
        },
      })
    })

    test('of an empty dataset: items is empty and nextCursor null', async () => {
      const dataset = await datasets.holding()

      expect(await dataset.searched({ q: 'anything' })).toEqual({
        items: [],
        nextCursor: null,
        mode: 'keyword',
        tier: 'quick',
        embeddedCount: 0,
        channels: [],
      })
    })

    test('is newest first, matched or not', async () => {
      const dataset = await datasets.holding()
      await dataset.watch(NEEDLE)
      await dataset.keep([
        { title: 'middle', createdAt: NEWEST_AT - 1, score: 1 },
        { title: 'needle of old', createdAt: NEWEST_AT - 2, score: 99 },
        { title: 'newest', createdAt: NEWEST_AT, score: 5 },
      ])

      expect(titlesOf(await dataset.searched({ q }))).toEqual(['newest', 'middle', 'needle of old'])
    })

    test('has posts of the same instant in descending order of their ids', async () => {
      const dataset = await datasets.holding(manyPosts(10, { createdAt: NEWEST_AT }))

      const ids = (await dataset.searched({ q })).items.map(({ id }) => id)

      expect(ids).toEqual(ids.toSorted().toReversed())
      expect(ids).toHaveLength(10)
    })

    test('has nothing of a post that its platform took down', async () => {
      const dataset = await datasets.holding([{ title: 'stays' }, { title: 'goes' }])

      await dataset.remove(['goes'])

      expect(titlesOf(await dataset.searched({ q }))).toEqual(['stays'])
      expect(titlesOf(await dataset.searched({ q: 'goes' }))).toEqual([])
    })

    test('has what a post says now, not what it said before', async () => {
      const dataset = await datasets.holding([{ title: 'before', forumId: 'a' }])

      await dataset.keep([{ title: 'after', forumId: 'a', createdAt: NEWEST_AT }])

      expect(titlesOf(await dataset.searched({ q: 'after' }))).toEqual(['after'])
      expect(titlesOf(await dataset.searched({ q: 'before' }))).toEqual([])
    })

    test('archived and read records are there like all others', async () => {
      const dataset = await datasets.holding()
      await dataset.keepMatched([{ title: 'archived' }, { title: 'read' }])
      await dataset.mark(['archived'], { archived: 1 })
      await dataset.mark(['read'], { read: 1 })

      expect(titlesOf(await dataset.searched({ q }))).toEqual(['archived', 'read'])
    })
  })

  describe('q', () => {
    test.each(TEXT_RULES)('$rule: found $matches', async ({ title, body = '', text, matches }) => {
      const dataset = await datasets.holding([{ title, body }])

      expect(titlesOf(await dataset.searched({ q: text }))).toEqual(matches ? [title] : [])
    })

    test('is the only required field', async () => {
      const dataset = await datasets.holding([{ title: 'one' }])

      await expectRefused(dataset, 'q', [{}, { mode: 'keyword', limit: 5 }, { q: null }, { q: 5 }])
      expect(titlesOf(await dataset.searched({ q: 'one' }))).toEqual(['one'])
    })

    test('is trimmed, and has 1 to 400 characters', async () => {
      const long = 'x'.repeat(400)
      const dataset = await datasets.holding([{ title: 'needle' }, { title: 'long', body: long }])

      expect(titlesOf(await dataset.searched({ q: ' \n needle\t ' }))).toEqual(['needle'])
      expect(titlesOf(await dataset.searched({ q: long }))).toEqual(['long'])
      await expectRefused(dataset, 'q', [{ q: '' }, { q: ' \n' }, { q: `${long}x` }])
    })
  })

  describe('mode', () => {
    test('default keyword, and the answer says which was used', async () => {
      const dataset = await datasets.holding([{ title: 'one' }])

      const byDefault = await dataset.searched({ q })

      expect(byDefault.mode).toBe('keyword')
      expect(await dataset.searched({ q, mode: 'keyword' })).toEqual(byDefault)
    })

    test('semantic: 503 SEMANTIC_UNAVAILABLE, with a message that says how to go on', async () => {
      const dataset = await datasets.holding([{ title: 'one' }])

      const answer = await dataset.search({ q, mode: 'semantic' })

      expectFailure(answer, 503, 'SEMANTIC_UNAVAILABLE')
      expect(answer.body.error?.message).toMatch(/embeddings.*mode.*keyword/s)
      // It would not help to come again.
      expect(answer.headers.has('retry-after')).toBe(false)
    })

    test('semantic: what is wrong with the request is said first', async () => {
      const dataset = await datasets.holding()

      await expectRefused(dataset, 'limit', [{ q, mode: 'semantic', limit: 41 }])
      await expectRefused(dataset, 'q', [{ mode: 'semantic' }])
    })

    test('another value is INVALID_REQUEST', async () => {
      const modes = ['hybrid', 'Keyword', '', null, ['keyword']]

      await expectRefused(
        await datasets.holding(),
        'mode',
        modes.map((mode) => ({ q, mode })),
      )
    })
  })

  describe('include and exclude', () => {
    test.each(TERM_RULES)('$rule', async ({ terms, found }) => {
      const dataset = await datasets.holding(VEHICLES)

      expect(titlesOf(await dataset.searched({ q, ...terms }))).toEqual(found)
    })

    test.each(TEXT_RULES)('$rule: in both, found $matches', async (rule) => {
      const { title, body = '', text, matches } = rule
      const dataset = await datasets.holding([{ title, body: `${COMMON}|${body}` }])

      const included = await dataset.searched({ q, include: [text] })
      const excluded = await dataset.searched({ q, exclude: [text] })

      // What is searched for is itself in the body, and has some of the letters.
      const isThere = matches || COMMON.includes(text.toLowerCase())
      expect(titlesOf(included)).toEqual(isThere ? [title] : [])
      expect(titlesOf(excluded)).toEqual(isThere ? [] : [title])
    })

    test.each(['include', 'exclude'])('%s: up to 20 terms of 1 to 100 characters', async (name) => {
      const dataset = await datasets.holding([{ title: 'x'.repeat(120) }])
      const terms = Array.from({ length: 21 }, (_, index) => 'x'.repeat(100 - index))
      const found = name === 'include' ? 1 : 0

      const page = await dataset.searched({ q, [name]: terms.slice(0, 20) })

      expect(page.items).toHaveLength(found)
      await expectRefused(dataset, name, [
        { q, [name]: terms },
        { q, [name]: 'x' },
      ])
      await expectRefused(dataset, `${name}.1`, [
        { q, [name]: ['x', 'x'.repeat(101)] },
        { q, [name]: ['x', ''] },
        { q, [name]: ['x', 5] },
      ])
    })
  })

  test('tags: only records with any of them, which are matched ones', async () => {
    const dataset = await datasets.holding()
    await dataset.watch({ rules: [{ any: ['red'], tags: ['colour', 'warm'] }] })
    await dataset.watch({ rules: [{ any: ['blue'], tags: ['colour'] }] })
    await dataset.watch({ rules: [{ any: ['plain'] }] })
    await dataset.keep(['red', 'blue', 'plain', 'unmatched'].map((title) => ({ title })))
    await dataset.tag('unmatched', 'colour')

    const found = async (tags: string[]) => titlesOf(await dataset.searched({ q, tags }))

    expect(await found(['colour'])).toEqual(['red', 'blue'])
    expect(await found(['warm', 'nowhere'])).toEqual(['red'])
    expect(await found(['nowhere'])).toEqual([])
    expect(await found([])).toEqual(['red', 'blue', 'plain', 'unmatched'])
  })

  describe('watcher_id', () => {
    test('only the posts of its channels, whichever way they came, and what it matched', async () => {
      const dataset = await datasets.holding()
      const channels = [{ platform: 'newsboard' as const, subforum: 'ask' }]
      const id = await dataset.watch({ channels, rules: [{ any: ['needle'] }] })
      await dataset.keep([
        { title: 'a needle', platform: 'newsboard', subforum: 'ask' },
        { title: 'in its channel', platform: 'newsboard', subforum: 'Ask' },
        { title: 'the same name on the forum', platform: 'forum', subforum: 'ask' },
        { title: 'elsewhere', platform: 'newsboard', subforum: 'new' },
      ])
      await dataset.keep([{ title: 'listed there', platform: 'newsboard', subforum: 'show' }], {
        seenIn: 'ask',
      })

      const page = await dataset.searched({ q, watcher_id: id })

      expect(titlesOf(page)).toEqual(['a needle', 'in its channel', 'listed there'])
      expect(page.channels).toEqual(['ask'])
    })

    test('unknown, deleted or another organization’s: an empty result, not an error', async () => {
      const other = await datasets.holding()
      const foreign = await other.watch(NEEDLE)
      const dataset = await datasets.holding()
      const deleted = await dataset.watch(NEEDLE)
      await dataset.keep([{ title: 'needle' }])
      const { organizationId } = dataset
      await removeWatcher(datasets.home.app.db, { organizationId, id: deleted })

      const unknown = [newId('wat', NEWEST_AT), 'x', '', "' or 1=1 --", 'x'.repeat(50_000)]
      for (const watcher_id of [foreign, deleted, ...unknown]) {
        expect(await dataset.searched({ q, watcher_id })).toMatchObject({
          items: [],
          nextCursor: null,
          channels: [],
        })
      }
    })
  })

  test('include_suppressed, default false: hides coincidental records', async () => {
    const dataset = await datasets.holding()
    const states = ['pending', 'confirmed', 'coincidental']
    await dataset.keepMatched(states.map((title) => ({ title })))
    for (const state of states) await dataset.mark([state], { verification: state })

    const found = async (filter: object) => titlesOf(await dataset.searched({ q, ...filter }))

    expect(await found({})).toEqual(['pending', 'confirmed'])
    expect(await found({ include_suppressed: false })).toEqual(['pending', 'confirmed'])
    expect(await found({ include_suppressed: true })).toEqual(states)
  })

  test.each([
    { filter: {}, items: 20, rule: 'default 20' },
    { filter: { limit: 1 }, items: 1, rule: 'at least 1' },
    { filter: { limit: 40 }, items: 40, rule: 'at most 40' },
  ])('limit: $rule', async ({ filter, items }) => {
    const dataset = await datasets.holding(manyPosts(41))

    const page = await dataset.searched({ q, ...filter })

    expect(page.items).toHaveLength(items)
    expect(page.nextCursor).toEqual(expect.any(String))
  })

  describe('the filters both operations know', () => {
    test.each(FILTER_RULES)('$rule', async ({ posts, filter, found }) => {
      const dataset = await datasets.holding(posts)

      expect(titlesOf(await dataset.searched({ q, ...filter }))).toEqual(found)
    })

    test.each(REFUSED_FILTERS)('$rule', async ({ filters, path }) => {
      const bodies = filters.map((filter) => ({ q, ...filter }))

      await expectRefused(await datasets.holding(), path, bodies)
    })

    test('platforms: anything but forum and newsboard is INVALID_REQUEST, by its place', async () => {
      const dataset = await datasets.holding()

      await expectRefused(dataset, 'platforms.1', [{ q, platforms: ['forum', 'Newsboard'] }])
      await expectRefused(dataset, 'platforms', [{ q, platforms: 'forum' }])
    })
  })

  describe('channels', () => {
    async function watching(): Promise<{ dataset: Dataset; id: string }> {
      const dataset = await datasets.holding()
      const id = await dataset.watch({
        channels: [
          { platform: 'forum', subforum: 'r/SelfHosted' },
          { platform: 'newsboard', subforum: 'show' },
        ],
      })
      await dataset.watch({ channels: [{ platform: 'forum', subforum: 'homelab' }] })
      // Of a channel that nobody watches there may be records: of an import, for example.
      await dataset.keep([
        { title: 'one', subforum: 'Zig' },
        { title: 'two', subforum: 'selfhosted' },
      ])
      return { dataset, id }
    }

    test.each([
      {
        rule: 'all that are watched or have records, sorted',
        filter: {},
        names: ['SelfHosted', 'Zig', 'homelab', 'show'],
      },
      { rule: 'of the platforms', filter: { platforms: ['newsboard'] }, names: ['show'] },
      {
        rule: 'of the subforums',
        filter: { subforums: ['r/zig', 'SELFHOSTED', 'x'] },
        names: ['SelfHosted', 'Zig'],
      },
      { rule: 'of both', filter: { platforms: ['newsboard'], subforums: ['zig'] }, names: [] },
      {
        rule: 'whatever else is filtered',
        filter: { min_score: 99, from: '2030-01-01' },
        names: ['SelfHosted', 'Zig', 'homelab', 'show'],
      },
    ])('$rule', async ({ filter, names }) => {
      const { dataset } = await watching()

      const { channels } = await dataset.searched({ q, ...filter })

      expect(channels).toEqual(channels.toSorted())
      expect(channels.map(spelling).sort()).toEqual(names.map(spelling).sort())
    })

    test.each([
      { rule: 'of the watcher alone', filter: {}, names: ['SelfHosted', 'show'] },
      {
        rule: 'of the watcher on a platform',
        filter: { platforms: ['forum'] },
        names: ['SelfHosted'],
      },
      { rule: 'of the watcher by name', filter: { subforums: ['show', 'zig'] }, names: ['show'] },
    ])('$rule', async ({ filter, names }) => {
      const { dataset, id } = await watching()

      const { channels } = await dataset.searched({ q, watcher_id: id, ...filter })

      expect(channels).toEqual(names)
    })
  })

  describe('how a body is written', () => {
    test('an unknown field is refused by name, and a misspelt one', async () => {
      const dataset = await datasets.holding()

      for (const name of ['limt', 'subforum', 'minScore', 'Q', 'view', 'keyword', 'sort', 'read']) {
        await expectRefused(dataset, name, [{ q, [name]: 1 }])
      }
    })

    test('a parameter in the query string is refused by name', async () => {
      const { key } = await datasets.holding()
      const answer = await new Client(datasets.home.url).post('/v1/search?limit=3', { q }, { key })

      expectFailure(answer, 400, 'INVALID_REQUEST')
      expect(invalidPaths(answer)).toEqual(['limit'])
    })

    test('a number may be huge: everything is below it, or above it', async () => {
      const dataset = await datasets.holding([{ title: 'one' }])

      for (const name of ['min_score', 'min_comments']) {
        for (const number of [1e300, 2 ** 63, 1e20, Number.MAX_SAFE_INTEGER]) {
          expect(titlesOf(await dataset.searched({ q, [name]: number }))).toEqual([])
          expect(titlesOf(await dataset.searched({ q, [name]: -number }))).toEqual(['one'])
        }
        const beyond = JSON.stringify({ q, [name]: 0 }).replace('0}', '1e400}')
        await expectRefused(dataset, name, [beyond])
      }
    })

    test('a list may be very long: 1,000 names, not 1,001', async () => {
      const dataset = await datasets.holding([{ title: 'one', subforum: 'c7' }])
      const names = Array.from({ length: 1_001 }, (_, index) => `c${index}`)

      const bySubforums = await dataset.searched({ q, subforums: names.slice(1) })
      const byTags = await dataset.searched({ q, tags: names.slice(1) })

      expect(titlesOf(bySubforums)).toEqual(['one'])
      expect(titlesOf(byTags)).toEqual([])
      for (const name of ['subforums', 'tags']) {
        await expectRefused(dataset, name, [{ q, [name]: names }])
      }
    })

    test('a NUL character is refused, wherever it is', async () => {
      const dataset = await datasets.holding()

      await expectRefused(dataset, 'q', [{ q: 'a\0' }])
      await expectRefused(dataset, 'watcher_id', [{ q, watcher_id: '\0' }])
      for (const name of ['include', 'exclude', 'subforums', 'tags']) {
        await expectRefused(dataset, `${name}.0`, [{ q, [name]: ['a\0b'] }])
      }
    })

    test('half a character finds nothing, and is never our mistake', async () => {
      const dataset = await datasets.holding([{ title: 'one 🚀' }])
      const half = 'x\ud83d'

      expect(titlesOf(await dataset.searched({ q: half }))).toEqual([])
      expect(titlesOf(await dataset.searched({ q, subforums: [half] }))).toEqual([])
      expect(titlesOf(await dataset.searched({ q, tags: [half] }))).toEqual([])
      expect(titlesOf(await dataset.searched({ q, watcher_id: half }))).toEqual([])
      expect(titlesOf(await dataset.searched({ q, exclude: [half] }))).toEqual(['one 🚀'])
    })

    test('all mistakes at once are in details, from after to among them', async () => {
      const dataset = await datasets.holding()
      const spans = { from: '2026-03-02', to: '2026-03-01' }

      const answer = await dataset.search({ ...spans, mode: 'x', limit: 0, tags: 'a', limt: 5 })

      expectFailure(answer, 400, 'INVALID_REQUEST')
      expect(invalidPaths(answer).sort()).toEqual(['from', 'limit', 'limt', 'mode', 'q', 'tags'])
    })

    test('what is no JSON is MALFORMED_JSON, what does not say so is refused', async () => {
      const { key } = await datasets.holding()
      const client = new Client(datasets.home.url)
      const headers = { 'content-type': 'text/plain' }

      expectFailure(await client.post('/v1/search', '{"q":', { key }), 400, 'MALFORMED_JSON')
      const asText = await client.post('/v1/search', { q }, { key, headers })
      expectFailure(asText, 415, 'UNSUPPORTED_MEDIA_TYPE')
      expectFailure(await client.send('POST', '/v1/search', { key }), 400, 'INVALID_REQUEST')
    })

    test('a body of 256 KiB is read, one of a byte more is PAYLOAD_TOO_LARGE', async () => {
      const dataset = await datasets.holding([{ title: 'one' }])
      const body = JSON.stringify({ q })

      const allowed = await dataset.search(body.padEnd(BODY_LIMIT_BYTES))
      const refused = await dataset.search(body.padEnd(BODY_LIMIT_BYTES + 1))

      expect(allowed.status).toBe(200)
      expectFailure(refused, 413, 'PAYLOAD_TOO_LARGE')
    })
  })
})

/** Of several writings of one name either may be told. */
function spelling(name: string): string {
  return name.toLowerCase()
}

async function expectRefused(
  dataset: Dataset,
  path: string,
  bodies: readonly unknown[],
): Promise<void> {
  for (const body of bodies) {
    const answer = await dataset.search(body)

    expectFailure(answer, 400, 'INVALID_REQUEST')
    expect(invalidPaths(answer)).toEqual([path])
  }
}
