import type { App } from '../app.ts'
import type { Channel } from '../contract/watcher.ts'
import { keepPosts } from '../ingest/keep-posts.ts'
import { keepRuns } from '../ingest/keep-runs.ts'
import { newRun, tallyOf } from '../ingest/new-run.ts'
import type { Run } from '../ingest/run-store.ts'
import { SourceError } from '../sources/source.ts'
import { insertGaps } from '../watchers/channel-store.ts'
import { channelIdOf } from '../watchers/create-watcher.ts'
import { expectWatcher } from '../watchers/expect-watcher.ts'
import { compileMatcher, type Matcher } from '../watchers/rules/matcher.ts'
import { channelsOf, type Watcher, type WatcherKey } from '../watchers/watcher-store.ts'
import { matchPosts } from './match-posts.ts'

interface BackfillProgress {
  channel: string
  posts: number
  /** The time of the oldest post so far. */
  reachedAt: number
  /** From 0 to 1, by time. */
  share: number
}

export interface BackfillTerms {
  key: WatcherKey
  sinceAt: number
  signal: AbortSignal
  onProgress(progress: BackfillProgress): void
}

/** Reads older posts of a watcher's channels; each channel is a run. */
export async function backfillWatcher(app: App, terms: BackfillTerms): Promise<Run[]> {
  const watcher = await expectWatcher(app.db, terms.key)
  const { organizationId, id: watcherId, rules } = watcher
  const matcher = compileMatcher([{ organizationId, watcherId, rules }])
  const runs: Run[] = []
  for (const channel of await channelsOf(app.db, terms.key)) {
    const filling = { watcher, channel, matcher, run: emptyRun(watcher, channel, app.clock()) }
    const run = await fill(app, filling, terms)
    run.durationMs = app.clock() - run.startedAt
    await app.db.transaction().execute((trx) => keepRuns(trx, [run], app.clock()))
    runs.push(run)
  }
  return runs
}

interface Filling {
  watcher: Watcher
  channel: Channel
  matcher: Matcher
  run: Run
}

async function fill(app: App, filling: Filling, terms: BackfillTerms): Promise<Run> {
  const { run, channel } = filling
  const { sinceAt, signal } = terms
  const place = channelIdOf(channel)
  let reachedAt = run.startedAt
  try {
    const sources = await app.sources()
    const pages = sources.of(channel.platform).backfill({ channel: channel.key, sinceAt, signal })
    for await (const { posts, gaps } of pages) {
      await keepPage(app, filling, posts)
      const now = app.clock()
      await app.db.transaction().execute((trx) => insertGaps(trx, place, { gaps, now }))
      reachedAt = Math.min(reachedAt, ...posts.map(({ createdAt }) => createdAt))
      const share = (run.startedAt - reachedAt) / Math.max(1, run.startedAt - sinceAt)
      const name = `${channel.platform}/${channel.subforum}`
      terms.onProgress({ channel: name, posts: run.postsFetched, reachedAt, share })
    }
    return run
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return { ...run, status: 'error', error: error.message }
  }
}

async function keepPage(
  app: App,
  { watcher, channel, matcher, run }: Filling,
  posts: Parameters<typeof matchPosts>[1],
): Promise<void> {
  const { organizationId } = watcher
  const found = await matchPosts(matcher, posts)
  const { matched, tagged } = tallyOf(posts.flatMap((post) => found(organizationId, post)))
  await app.db.transaction().execute(async (trx) => {
    const { added } = await keepPosts(trx, app.database.engine, {
      organizationId,
      posts,
      channel: channel.key,
      matchesOf: (post) => found(organizationId, post),
      now: app.clock(),
      live: true,
    })
    run.newPosts += added
  })
  run.postsFetched += posts.length
  run.matched += matched
  run.tagged += tagged
}

function emptyRun(watcher: Watcher, { platform, subforum }: Channel, now: number): Run {
  const { organizationId, id: watcherId, name: watcherName } = watcher
  const facts = { organizationId, watcherId, watcherName, platform, subforum, startedAt: now }
  return newRun(facts, now)
}
