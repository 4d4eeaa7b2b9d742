// A test app that watches a simulation of both platforms, and the words tests speak of it in. App and
// platforms share one time. `await using home = await watchingApp('sqlite')`.

import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { App } from '#src/app.ts'
import { NewWatcher } from '#src/contract/watcher.ts'
import type { Db, EngineName } from '#src/db/database.ts'
import type { Tables } from '#src/db/tables.ts'
import { crawlChannel } from '#src/jobs/crawl-channel.ts'
import { LEASE_MS, runJob } from '#src/jobs/run-job.ts'
import { claimJob, enqueueOnce, type Job } from '#src/queue/job-store.ts'
import type { NewPost } from '#src/simulate/post.ts'
import {
  startSimulation,
  type Simulation,
  type SimulationOptions,
} from '#src/simulate/simulation.ts'
import { crawlJobOf } from '#src/watchers/crawl-job.ts'
import { createWatcher } from '#src/watchers/create-watcher.ts'
import { pauseWatcher, resumeWatcher } from '#src/watchers/pause-watcher.ts'
import type { ChannelId } from '#src/watchers/watch-store.ts'
import type { WatcherKey } from '#src/watchers/watcher-store.ts'
import {
  scriptedServer,
  type Asked,
  type Reply,
  type ScriptedServer,
} from '#test/sources/support/scripted-server.ts'
import { testApp, type TestApp } from './test-app.ts'

const SELFHOSTED: ChannelId = { platform: 'forum', channel: 'selfhosted' }

export interface WatchingApp extends AsyncDisposable {
  app: App
  /** For a neighbour, and for a second organization. */
  testApp: TestApp
  /** What makes another app read the same simulation. */
  variables: Record<string, string>
  simulation: Simulation
  organizationId: string
  /** Moves the time of the app and of the platforms. */
  advance(ms: number): void
}

interface WatchingOptions {
  simulation?: SimulationOptions
  /** Without credentials the forum is read through its feeds. */
  withoutCredentials?: boolean
  variables?: Record<string, string>
}

export async function watchingApp(
  engine: EngineName,
  options: WatchingOptions = {},
): Promise<WatchingApp> {
  let aheadMs = 0
  const clock = () => Date.now() + aheadMs
  const simulation = await startSimulation({
    clock,
    channels: [SELFHOSTED.channel],
    ...options.simulation,
  })
  const variables = {
    ...platformAt(simulation.url, options.withoutCredentials ?? false),
    ...options.variables,
  }
  const home = await testApp(engine, variables)
  return {
    app: home.app,
    testApp: home,
    variables,
    simulation,
    organizationId: home.owner.organizationId,
    advance(ms) {
      aheadMs += ms
      home.advance(ms)
    },
    async [Symbol.asyncDispose]() {
      await home[Symbol.asyncDispose]()
      await simulation[Symbol.asyncDispose]()
    },
  }
}

export function platformAt(url: string, withoutCredentials = false): Record<string, string> {
  return {
    EARSHOT_DATABASE_READERS: '1', // each is a thread more to start
    EARSHOT_FORUM_API_URL: url,
    EARSHOT_FORUM_WEB_URL: url,
    EARSHOT_FORUM_CLIENT_ID: withoutCredentials ? '' : 'id',
    EARSHOT_FORUM_CLIENT_SECRET: withoutCredentials ? '' : 'secret',
    EARSHOT_FORUM_PACE: '100000',
    EARSHOT_NEWSBOARD_ITEMS_URL: url,
    EARSHOT_NEWSBOARD_SEARCH_URL: url,
  }
}

/** A post in the channel; a test names only what it is about. */
function aPost(given: Partial<NewPost> = {}): NewPost {
  return { platform: 'forum', subforum: 'selfhosted', title: 'A post', ...given }
}

/** Adds it to the platform and returns its id. */
export function publish({ simulation }: WatchingApp, given: Partial<NewPost> = {}): string {
  const id = simulation.add(aPost(given))
  if (id === null) throw new Error('there is a post of this id already')
  return id
}

export type WantedWatcher = Partial<z.input<typeof NewWatcher>>

/** What a person would send: one channel and no rules, unless said. */
export function aWatcher(wanted: WantedWatcher = {}): NewWatcher {
  const channels = [{ platform: 'forum' as const, subforum: 'selfhosted' }]
  return NewWatcher.parse({ name: 'A watcher', channels, ...wanted })
}

export async function watch(
  home: WatchingApp,
  wanted: WantedWatcher = {},
  organizationId = home.organizationId,
): Promise<WatcherKey> {
  const { id } = await createWatcher(contextOf(home.app), organizationId, aWatcher(wanted))
  return { organizationId, id }
}

export function contextOf({ db, config, clock }: App) {
  return { db, minIntervalSeconds: config.watchers.minIntervalSeconds, now: clock() }
}

/** One round of a channel, due or not, as a worker would make it. */
export async function round({ app }: { app: App }, channel = SELFHOSTED): Promise<void> {
  const signal = new AbortController().signal
  await runJob(app, await takeJob(app, channel), { known: crawlChannel, signal })
}

/** A round in which the channel is read from the beginning of its listing again. */
export async function roundFromStart(home: WatchingApp, key: WatcherKey): Promise<void> {
  await pauseWatcher(home.app.db, key)
  await resumeWatcher(home.app.db, key, home.app.clock())
  await round(home)
}

/** Takes a channel's job, as a process does that is about to make a round. */
export async function takeJob(app: App, channel = SELFHOSTED): Promise<Job> {
  const wanted = crawlJobOf(channel)
  await enqueueOnce(app.db, wanted, app.clock())
  const terms = { now: app.clock(), leaseMs: LEASE_MS, lease: randomUUID() }
  const job = await claimJob(app.db, wanted, terms)
  if (job === undefined) throw new Error('somebody else is at the job')
  return job
}

/** Everything in a table. */
export async function rowsIn<Table extends keyof Tables & string>(
  db: Db,
  table: Table,
): Promise<Tables[Table][]> {
  return (await db.selectFrom(table).selectAll().execute()) as Tables[Table][]
}

/** In the order of their posts, newest first. */
export function recordsIn(db: Db, organizationId: string) {
  return db
    .selectFrom('record')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('key', 'desc')
    .execute()
}

/** `title: tags`, for the records of an organization that have any. */
export async function tagsIn(db: Db, organizationId: string): Promise<Record<string, string[]>> {
  const rows = await db
    .selectFrom('record_tag as tag')
    .innerJoin('record', (join) =>
      join
        .onRef('record.organization_id', '=', 'tag.organization_id')
        .onRef('record.key', '=', 'tag.record_key'),
    )
    .select(['record.title', 'tag.tag'])
    .where('tag.organization_id', '=', organizationId)
    .orderBy('tag.tag')
    .execute()
  const byTitle = Map.groupBy(rows, ({ title }) => title)
  return Object.fromEntries([...byTitle].map(([title, some]) => [title, some.map((r) => r.tag)]))
}

/** `title: ids of the watchers that matched it`. */
export async function matchesIn(db: Db, organizationId: string): Promise<Record<string, string[]>> {
  const rows = await db
    .selectFrom('record_match as match')
    .innerJoin('record', (join) =>
      join
        .onRef('record.organization_id', '=', 'match.organization_id')
        .onRef('record.key', '=', 'match.record_key'),
    )
    .select(['record.title', 'match.watcher_id as watcherId'])
    .where('match.organization_id', '=', organizationId)
    .orderBy('match.watcher_id')
    .execute()
  const byTitle = Map.groupBy(rows, ({ title }) => title)
  return Object.fromEntries(
    [...byTitle].map(([title, some]) => [title, some.map((row) => row.watcherId)]),
  )
}

/** In the order they were made. */
export function runsIn(db: Db, key?: Partial<WatcherKey>) {
  let query = db.selectFrom('crawl_run').selectAll()
  if (key?.organizationId) query = query.where('organization_id', '=', key.organizationId)
  if (key?.id) query = query.where('watcher_id', '=', key.id)
  return query.orderBy('id').execute()
}

interface HeldPlatform extends AsyncDisposable {
  url: string
  /** Resolves when a channel was asked for and waits for its answer. */
  asked: Promise<void>
  /** Lets the answers go. */
  release(): void
}

/** Stands before the simulation and holds back what it is asked of channels until told. */
export async function heldPlatform(simulation: Simulation): Promise<HeldPlatform> {
  const asking = Promise.withResolvers<void>()
  const releasing = Promise.withResolvers<void>()
  const server = await platformBehind(simulation, async ({ path }) => {
    if (!path.startsWith('/r/')) return null
    asking.resolve()
    await releasing.promise
    return null
  })
  return {
    url: server.url,
    asked: asking.promise,
    release: () => releasing.resolve(),
    async [Symbol.asyncDispose]() {
      releasing.resolve()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** The simulation, behind a test that may answer instead. */
export function platformBehind(
  simulation: Simulation,
  answerInstead: (asked: Asked) => Promise<Reply | null>,
): Promise<ScriptedServer> {
  return scriptedServer(async (asked) => {
    const { method, path, query, headers, body } = asked
    const instead = await answerInstead(asked)
    if (instead !== null) return instead
    const answer = await fetch(`${simulation.url}${path}?${query.toString()}`, {
      method,
      headers: { authorization: headers.authorization ?? '' },
      ...(method === 'POST' ? { body: new URLSearchParams(body) } : {}),
    })
    const type = answer.headers.get('content-type') ?? ''
    return { status: answer.status, headers: { 'content-type': type }, body: await answer.text() }
  })
}
