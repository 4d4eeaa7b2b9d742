// Between the pages that somebody walks, posts come in that are newer, older and in between, and
// known ones are told again. What was there at page one comes exactly once, in order.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keepPosts } from '#src/ingest/keep-posts.ts'
import type { Post } from '#src/sources/post.ts'
import { Client } from '#test/support/client.ts'
import { ENGINES } from '#test/support/place.ts'
import { testApp, type TestApp } from '#test/support/test-app.ts'
import { buildWorld, type World } from './built-world.ts'
import { expectedOf, type WireRequest } from './oracle.ts'
import { SEEDS, terms, TIMEOUT_MS } from './seeds.ts'
import { pageOf } from './walk.ts'
import type { Plan, PlannedPost } from './worlds.ts'

const RUNS = 10
const CHANNEL = { platform: 'forum', subforum: 'selfhosted' } as const
/** Later than all rounds of a plan. */
const MEANWHILE = Date.UTC(2026, 3, 1)

/** A moment of the post, and whether the rules match it. */
interface Arrival {
  at: number
  isMatched: boolean
}

/** What happens before the next page is asked for. */
interface Meanwhile {
  arrivals: Arrival[]
  /** Which of the known posts are told again. */
  again: number[]
}

interface Case {
  before: Arrival[]
  meanwhile: Meanwhile[]
  limits: number[]
}

/** All of them pass these posts through: by order, by match, by text, by tag, by channel. */
const REQUESTS: { name: string; request(world: World): WireRequest }[] = [
  { name: 'all records', request: () => ({ operation: 'list', query: {} }) },
  {
    name: 'matched records',
    request: () => ({ operation: 'list', query: { view: 'matched' } }),
  },
  {
    name: 'matched records with a tag and a keyword',
    request: () => ({
      operation: 'list',
      query: { view: 'matched', tags: 'backup', keyword: 'word', sort: 'firstSeenAt' },
    }),
  },
  {
    name: 'records of a watcher',
    request: ({ watchers: [watcher] }) => ({
      operation: 'list',
      query: { watcher_id: watcher?.id ?? '', min_score: '1' },
    }),
  },
  { name: 'a search', request: () => ({ operation: 'search', body: { q: 'word' } }) },
  {
    name: 'a search with filters',
    request: () => ({
      operation: 'search',
      body: { q: 'wo', subforums: ['SelfHosted'], tags: ['backup'], exclude: ['absent'] },
    }),
  },
]

const arrival: fc.Arbitrary<Arrival> = fc.record({ at: fc.nat(30), isMatched: fc.boolean() })

const aCase: fc.Arbitrary<Case> = fc.record({
  before: fc.array(arrival, { maxLength: 40, size: 'max' }),
  meanwhile: fc.array(
    fc.record({
      arrivals: fc.array(arrival, { maxLength: 12, size: 'max' }),
      again: fc.array(fc.nat(39), { maxLength: 5 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  limits: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
})

describe.concurrent.each(ENGINES)('paging on %s while posts come in', (engine) => {
  let home: TestApp
  beforeAll(async () => {
    home = await testApp(engine)
  })
  afterAll(() => home[Symbol.asyncDispose]())

  test.each(REQUESTS)(
    '$name: nothing that was there at page one is skipped or comes twice',
    { timeout: TIMEOUT_MS },
    async ({ request: requestOf }) => {
      for (const seed of SEEDS) {
        await fc.assert(
          fc.asyncProperty(aCase, async (given) => {
            const world = await buildWorld(home, planOf(given.before))
            const request = requestOf(world)
            const before = expectedOf(world, request)

            const seen = await walked(home, world, { request, given })

            const known = new Set(world.records.map(({ id }) => id))
            expect(new Set(seen).size).toBe(seen.length)
            expect({
              kind: 'found',
              records: seen.filter((id) => known.has(id)),
            }).toEqual({ ...before, records: idsOf(before) })
          }),
          terms(seed, RUNS),
        )
      }
    },
  )
})

function idsOf(expected: ReturnType<typeof expectedOf>): string[] {
  return expected.kind === 'found' ? expected.records.map(({ id }) => id) : []
}

async function walked(
  home: TestApp,
  world: World,
  { request, given }: { request: WireRequest; given: Case },
): Promise<string[]> {
  const asker = { client: new Client(home.url), apiKey: world.apiKey }
  const seen: string[] = []
  let cursor: string | null = null
  for (let number = 0; ; number += 1) {
    const limit = given.limits[number % given.limits.length] ?? 1
    const page = await pageOf(asker, request, { limit, cursor })
    seen.push(...page.items.map(({ id }) => id))
    if (page.nextCursor === null) return seen
    cursor = page.nextCursor
    // New posts come in only so often: otherwise older ones would come in for ever.
    const happens = given.meanwhile[number]
    if (happens !== undefined) await ingest(home, world, { happens, given, number })
  }
}

async function ingest(
  { app }: TestApp,
  { organizationId, watchers, day }: World,
  { happens, given, number }: { happens: Meanwhile; given: Case; number: number },
): Promise<void> {
  const again = happens.again.flatMap((index) => {
    const known = given.before[index]
    return known === undefined ? [] : [postOf(index, day + known.at, `told again ${number}`)]
  })
  const arrived = happens.arrivals.map((one, index) =>
    postOf(1_000 * (number + 1) + index, day + one.at, 'new'),
  )
  const watcherId = watchers[0]?.id ?? ''
  const found = { term: 'word', field: 'title', position: 0, tags: ['backup'] }
  const isMatched = new Set(
    happens.arrivals.flatMap((one, index) => (one.isMatched ? [1_000 * (number + 1) + index] : [])),
  )
  await app.db.transaction().execute((trx) =>
    keepPosts(trx, app.database.engine, {
      organizationId,
      posts: [...again, ...arrived],
      channel: CHANNEL.subforum,
      matchesOf: ({ forumId }) =>
        isMatched.has(Number(forumId)) ? [{ watcherId, ruleIndex: 0, ...found }] : [],
      now: MEANWHILE + number,
      live: true,
    }),
  )
}

function planOf(arrivals: readonly Arrival[]): Plan {
  const posts = arrivals.map(({ at, isMatched }, number): PlannedPost => ({
    number,
    channel: CHANNEL,
    at,
    round: number % 3,
    told: {
      title: 'A word',
      body: '',
      link: 0,
      score: 1,
      numComments: 0,
      author: 'ann',
      matches: isMatched ? [{ watcher: 0, tags: ['backup'], isByTerm: true }] : [],
      seenIn: null,
    },
    verification: null,
    read: false,
    archived: false,
    personTags: [],
    intent: 'DISCUSSING',
    fate: { kind: 'stays' },
  }))
  return { watchers: [{ channels: [CHANNEL], isDeleted: false }], posts }
}

function postOf(number: number, createdAt: number, body: string): Post {
  return {
    ...CHANNEL,
    forumId: String(number),
    title: 'A word',
    body,
    permalink: `https://forum.example/forum/${number}`,
    url: null,
    score: 2,
    numComments: 5,
    createdAt,
    author: 'ann',
  }
}
