// Requests that are seldom met by chance, each with what must come of it.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client } from '#test/support/client.ts'
import { ENGINES } from '#test/support/place.ts'
import { testApp, type TestApp } from '#test/support/test-app.ts'
import { buildWorld, type World } from './built-world.ts'
import { manyRecords } from './many-records.ts'
import type { WireRequest } from './oracle.ts'
import { expectAllPages, pageOf } from './walk.ts'
import type { Fate, Plan, PlannedPost, Telling } from './worlds.ts'

/** More than are looked at before an index is asked. */
const RECORDS = 2_500

describe.concurrent.each(ENGINES)('odd requests on %s', (engine) => {
  let home: TestApp
  let many: World
  beforeAll(async () => {
    home = await testApp(engine)
    await buildWorld(home, manyRecords(101, RECORDS))
    many = await buildWorld(home, manyRecords(102, RECORDS))
    await buildWorld(home, manyRecords(103, RECORDS))
  })
  afterAll(() => home[Symbol.asyncDispose]())

  const check = (world: World, request: WireRequest) =>
    expectAllPages({ client: new Client(home.url), apiKey: world.apiKey }, world, {
      request,
      limits: [0, 7],
      pagesMax: 20,
    })

  test.each(['from', 'to'])('a date that no post can have is only a date, as %s', async (name) => {
    for (const date of ['0001-01-01', '1850-01-01', '2300-01-01', '9999-12-31']) {
      for (const keyword of ['ж', 'zq', 'Zürich', 'absent', 'the']) {
        await check(many, { operation: 'list', query: { keyword, [name]: date } })
        await check(many, {
          operation: 'list',
          query: { keyword, [name]: date, view: 'matched', sort: 'score' },
        })
        await check(many, { operation: 'search', body: { q: keyword, [name]: date } })
      }
    }
  })

  test.each([
    { operation: 'list', query: { keyword: '\u001f' } },
    { operation: 'list', query: { keyword: 'title\u001fbody' } },
    { operation: 'search', body: { q: 'title\u001f' } },
    { operation: 'search', body: { q: 'title', include: ['\u001fb'] } },
    { operation: 'search', body: { q: 'title', exclude: ['\u001f'] } },
  ] satisfies WireRequest[])('no character stands for the border: %j', async (request) => {
    const world = await buildWorld(home, planOf({ title: 'A title', body: 'body' }))

    await check(world, request)
  })

  test('a text that fits is shown whole, wherever in it the match is', async () => {
    const body = `${'word '.repeat(42)}needle here`
    const world = await buildWorld(home, planOf({ body }))
    const asker = { client: new Client(home.url), apiKey: world.apiKey }

    const request: WireRequest = { operation: 'search', body: { q: 'needle' } }
    const page = await pageOf(asker, request, { limit: 0, cursor: null })

    expect(page.items.map(({ snippet }) => snippet)).toEqual([body])
  })

  test('the ellipsis that ends a snippet is not taken for one that was searched', async () => {
    const body = `${'word '.repeat(60)}and … so ${'on '.repeat(40)}`.trim()
    const world = await buildWorld(home, planOf({ body }))

    await check(world, { operation: 'search', body: { q: '…' } })
  })

  test('a channel is covered again when its only post returns', async () => {
    const world = await buildWorld(home, planOf({}, { kind: 'returns', told }))

    await check(world, { operation: 'search', body: { q: 'title' } })
  })

  test('tag, watcher and a filter that nothing passes find nothing', async () => {
    const watcher = many.watchers[0]?.id ?? ''
    const narrow = { tags: 'backup', watcher_id: watcher, min_score: '5000' }

    await check(many, { operation: 'list', query: { view: 'matched', ...narrow } })
    await check(many, {
      operation: 'search',
      body: { q: 'absent', tags: ['backup'], watcher_id: watcher },
    })
  })
})

const told: Telling = {
  title: 'A title',
  body: '',
  link: 0,
  score: 1,
  numComments: 0,
  author: 'ann',
  matches: [],
  seenIn: null,
}

function planOf(given: Partial<Telling>, fate: Fate = { kind: 'stays' }): Plan {
  const post: PlannedPost = {
    number: 1,
    channel: { platform: 'forum', subforum: 'SelfHosted' },
    at: 0,
    round: 0,
    told: { ...told, ...given },
    verification: null,
    read: false,
    archived: false,
    personTags: [],
    intent: 'DISCUSSING',
    fate,
  }
  return { watchers: [], posts: [post] }
}
