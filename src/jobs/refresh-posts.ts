// Looks at young posts again: scores and comments change, and what its platform has taken down must
// leave. Each post is asked for once, whoever holds it.

import type { App } from '../app.ts'
import { PLATFORMS, type Platform } from '../contract/platform.ts'
import { keepPosts } from '../ingest/keep-posts.ts'
import { listingsOf } from '../ingest/listing-store.ts'
import { holdingsOf, type Holding } from '../ingest/stored-post-store.ts'
import { duePosts, postponeRefresh, settleRefresh, type DuePost } from '../ingest/refresh-store.ts'
import { tombstoneRecords } from '../ingest/remove-posts.ts'
import { minutes, seconds } from '../lib/duration.ts'
import { crawlLog } from '../logger.ts'
import type { Post } from '../sources/post.ts'
import { SourceError, type PostState } from '../sources/source.ts'
import type { RecurringJob } from './job.ts'
import { matchPosts, type MatchesOf } from './match-posts.ts'

const EVERY_MS = seconds(20)
/** As many as one request may ask for. */
const POSTS_AT_ONCE = 100
const BATCHES = 20
const POSTPONE_MS = minutes(5)

export const refreshPosts: RecurringJob = {
  kind: 'recurring',
  name: 'refresh_posts',
  queue: 'crawl',
  everyMs: () => EVERY_MS,

  async run(app, signal) {
    const counts = { looked: 0, removed: 0 }
    for (const platform of PLATFORMS) {
      for (let batch = 0; batch < BATCHES && !signal.aborted; batch += 1) {
        const due = await duePosts(app.db, { platform, now: app.clock(), limit: POSTS_AT_ONCE })
        if (due.length === 0) break
        const states = await lookAgain(app, { platform, due, signal })
        if (states === null) break
        await keepStates(app, { platform, states })
        await app.db.transaction().execute((trx) => settleRefresh(trx, due, app.clock()))
        counts.looked += due.length
        counts.removed += states.filter(({ kind }) => kind === 'removed').length
      }
    }
    return counts
  },
}

/** Null when the platform cannot be asked now: then they are due again in a while. */
async function lookAgain(
  app: App,
  { platform, due, signal }: { platform: Platform; due: readonly DuePost[]; signal: AbortSignal },
): Promise<PostState[] | null> {
  try {
    const ids = due.map(({ forumId }) => forumId)
    return await (await app.sources()).of(platform).lookAgain(ids, signal)
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    crawlLog.warn({ platform, reason: error.message }, 'posts could not be looked at again')
    await postponeRefresh(app.db, due, app.clock() + (error.retryAfterMs ?? POSTPONE_MS))
    return null
  }
}

interface Held {
  platform: Platform
  there: ReadonlyMap<string, Post>
  holdings: readonly Holding[]
}

async function keepStates(
  app: App,
  { platform, states }: { platform: Platform; states: readonly PostState[] },
): Promise<void> {
  const there = new Map(
    states.flatMap((one) => (one.kind === 'there' ? [[one.post.forumId, one.post]] : [])),
  )
  const removed = new Set(states.flatMap((one) => (one.kind === 'removed' ? [one.forumId] : [])))
  const holdings = await holdingsOf(app.db, platform, [...there.keys(), ...removed])
  const matchesOf = await matchHoldings(app, { platform, there, holdings })
  for (const [organizationId, held] of Map.groupBy(holdings, (one) => one.organizationId)) {
    const posts = held.flatMap(({ forumId }) => there.get(forumId) ?? [])
    const gone = held.filter(({ forumId }) => removed.has(forumId)).map(({ key }) => key)
    await app.db.transaction().execute(async (trx) => {
      const { engine } = app.database
      const now = app.clock()
      await keepPosts(trx, engine, {
        organizationId,
        posts,
        channel: null,
        matchesOf: (post) => matchesOf(organizationId, post),
        now,
        live: true,
        onlyKnown: true,
      })
      await tombstoneRecords(trx, { engine, organizationId, now }, gone)
    })
  }
}

/** A rule may ask for a score that the post has only now. */
async function matchHoldings(app: App, held: Held): Promise<MatchesOf> {
  const { platform, there, holdings } = held
  const seenIn = await channelsOfHoldings(app, holdings)
  const postsIn = new Map<string, Set<Post>>()
  for (const { organizationId, forumId } of holdings) {
    const post = there.get(forumId)
    if (post === undefined) continue
    for (const channel of seenIn.get(`${organizationId}/${forumId}`) ?? []) {
      postsIn.set(channel, (postsIn.get(channel) ?? new Set()).add(post))
    }
  }
  const byChannel = new Map<string, MatchesOf>()
  for (const [channel, posts] of postsIn) {
    const matcher = await app.matchers.of({ platform, channel })
    byChannel.set(channel, await matchPosts(matcher, [...posts]))
  }
  return (organizationId, post) => {
    const channels = seenIn.get(`${organizationId}/${post.forumId}`) ?? []
    const found = channels.flatMap((one) => byChannel.get(one)?.(organizationId, post) ?? [])
    // A watcher of several of these channels has found it in each.
    return [...new Map(found.map((match) => [match.watcherId, match])).values()]
  }
}

/** Its own channel, and the others a record was seen in. */
async function channelsOfHoldings(
  { db }: App,
  holdings: readonly Holding[],
): Promise<Map<string, string[]>> {
  const channels = new Map<string, string[]>()
  for (const [organizationId, some] of Map.groupBy(holdings, (one) => one.organizationId)) {
    const keys = some.map(({ key }) => key)
    const listed = Map.groupBy(
      await listingsOf(db, organizationId, keys),
      ({ recordKey }) => recordKey,
    )
    for (const { forumId, key, channel } of some) {
      const others = listed.get(key)?.map((one) => one.channel) ?? []
      channels.set(`${organizationId}/${forumId}`, [channel, ...others])
    }
  }
  return channels
}
