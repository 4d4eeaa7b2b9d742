// Records per second through the whole ingest (look up, match, store, tags, run, event: what a crawl
// does with a page of posts), beside a raw batched upsert of the same kind of rows into the same
// table with the same indexes, in turns.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../src/config.ts'
import { NewWatcher } from '../src/contract/watcher.ts'
import type { Database } from '../src/db/database.ts'
import { openDatabase } from '../src/db/open-database.ts'
import { foundInstallation, foundOrganization } from '../src/accounts/found.ts'
import { keepPosts } from '../src/ingest/keep-posts.ts'
import { keepRound } from '../src/ingest/keep-round.ts'
import type { Post } from '../src/sources/post.ts'
import { compileMatcher } from '../src/watchers/rules/matcher.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { endlessPosts, postsAreReal, take } from './ingest-posts.ts'
import { rawUpsert } from './raw-upsert.ts'
import { median, printTable } from './table.ts'

const SIZES = [100_000, 1_000_000]
const ORGANIZATIONS = 10
const PAGE = 100
const PAGES_A_ROUND = 50
const ROUNDS = 5
const PRELOAD_BATCH = 1_000
const WATCHERS = 2

export async function benchIngest(): Promise<void> {
  const rows: string[][] = []
  for (const engine of ['sqlite', 'postgres'] as const) {
    await using place = await placeFor(engine)
    await using database = await openDatabase(readConfig(place.variables).database)
    await database.migrate(Date.now())
    const bench = await prepare(database)
    for (const size of SIZES) {
      await fillTo(bench, size)
      rows.push([engine, String(size), ...(await measure(bench))])
    }
  }
  const head = ['engine', 'records there', 'ingest/s', 'raw upsert/s', 'ratio (goal 0.6)']
  printTable(head, rows)
  process.stdout.write(
    `Pages of ${PAGE} posts, one transaction each, synced to disk. ` +
      `${postsAreReal ? 'Real posts' : 'Made-up posts: the real ones are not at hand'}.\n`,
  )
}

interface Bench {
  database: Database
  organizationIds: string[]
  posts: AsyncGenerator<Post>
  stored: number
}

async function prepare(database: Database): Promise<Bench> {
  const owner = { email: 'bench@example.com', password: 'not a secret', organizationName: 'Bench' }
  const { userId: ownerId, organizationId } = await foundInstallation(database.db, owner, 0)
  const organizationIds = [organizationId]
  while (organizationIds.length < ORGANIZATIONS) {
    const organizationName = `Bench ${organizationIds.length}`
    organizationIds.push(
      await database.db
        .transaction()
        .execute((trx) => foundOrganization(trx, { ownerId, organizationName }, 0)),
    )
  }
  return { database, organizationIds, posts: endlessPosts(), stored: 0 }
}

async function fillTo(bench: Bench, size: number): Promise<void> {
  const { database, organizationIds } = bench
  for (let batch = 0; bench.stored < size; batch += 1) {
    const posts = await take(bench.posts, PRELOAD_BATCH)
    const organizationId = organizationIds[batch % ORGANIZATIONS] ?? ''
    await database.db.transaction().execute((trx) =>
      keepPosts(trx, database.engine, {
        organizationId,
        posts,
        channel: null,
        matchesOf: () => [],
        now: 0,
        live: false,
      }),
    )
    bench.stored += posts.length
  }
}

async function measure(bench: Bench): Promise<string[]> {
  const ways = { ingest: ingestPage, raw: rawUpsert }
  const rates: Record<keyof typeof ways, number[]> = { ingest: [], raw: [] }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, way] of Object.entries(ways)) {
      const pages: Post[][] = []
      while (pages.length < PAGES_A_ROUND) pages.push(await take(bench.posts, PAGE))
      const begun = performance.now()
      for (const [index, posts] of pages.entries()) {
        const organizationId = bench.organizationIds[index % ORGANIZATIONS] ?? ''
        await way(bench.database, organizationId, posts)
      }
      const elapsedS = (performance.now() - begun) / 1_000
      rates[name as keyof typeof ways].push((PAGES_A_ROUND * PAGE) / elapsedS)
    }
  }
  const ratios = rates.ingest.map((rate, round) => rate / (rates.raw[round] ?? 1))
  return [
    String(Math.round(median(rates.ingest))),
    String(Math.round(median(rates.raw))),
    median(ratios).toFixed(2),
  ]
}

const watchers = Array.from({ length: WATCHERS }, (_, index) => ({
  id: `wat_${index}`,
  name: `Watcher ${index}`,
  subforum: 'bench',
}))

const { rules } = NewWatcher.parse({
  name: 'Bench',
  channels: [{ platform: 'forum', subforum: 'bench' }],
  rules: [{ any: ['reddit', 'picture'], tags: ['found'] }, { all: ['first', 'time'] }],
})

const matcher = compileMatcher(
  watchers.map(({ id }) => ({ organizationId: '', watcherId: id, rules })),
)

/** What a crawl does with a page that it has fetched. */
async function ingestPage(
  { db, engine }: Database,
  organizationId: string,
  posts: readonly Post[],
): Promise<void> {
  const now = Date.now()
  const found = new Map(posts.map((post) => [post, matcher.match(post)]))
  await db.transaction().execute((trx) =>
    keepRound(trx, engine, {
      organizationId,
      platform: 'forum',
      channel: posts[0]?.subforum.toLowerCase() ?? '',
      watchers,
      posts,
      matchesOf: (post) => found.get(post) ?? [],
      error: null,
      startedAt: now,
      now,
    }),
  )
}

async function placeFor(
  engine: 'sqlite' | 'postgres',
): Promise<AsyncDisposable & { variables: Record<string, string> }> {
  const home = mkdtempSync(join(tmpdir(), 'earshot-bench-'))
  const server = engine === 'postgres' ? await startPostgres({ durable: true }) : undefined
  return {
    variables: { EARSHOT_DATA_DIR: home, DATABASE_URL: server?.url ?? '' },
    async [Symbol.asyncDispose]() {
      await server?.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
