import type { App } from '../app.ts'
import { keepRound } from '../ingest/keep-round.ts'
import type { Post } from '../sources/post.ts'
import type { Matcher } from '../watchers/rules/matcher.ts'
import { stillWatching, type ChannelId, type Watch } from '../watchers/watch-store.ts'
import type { FetchOutcome } from './fetch-channel.ts'
import { matchPosts, type MatchesOf } from './match-posts.ts'

export interface RoundOfChannel {
  channel: ChannelId
  watches: readonly Watch[]
  outcome: FetchOutcome
  startedAt: number
}

/** Stores what a round brought, organization by organization. */
export async function keepForAll(app: App, round: RoundOfChannel): Promise<void> {
  const posts = round.outcome.kind === 'fetched' ? round.outcome.fetched.posts : []
  let matcher: Matcher | null = null
  let matchesOf: MatchesOf = () => []
  for (const [organizationId, ofOne] of Map.groupBy(round.watches, byOrganization)) {
    // Asked for each time: with many organizations this takes a while, and rules may change.
    const current = await app.matchers.of(round.channel)
    if (current !== matcher) matchesOf = await matchPosts(current, posts)
    matcher = current
    await keepForOne(app, round, { organizationId, ofOne, posts, matchesOf })
  }
}

interface OneOrganization {
  organizationId: string
  ofOne: readonly Watch[]
  posts: readonly Post[]
  matchesOf: MatchesOf
}

async function keepForOne(
  app: App,
  { channel, outcome, startedAt }: RoundOfChannel,
  { organizationId, ofOne, posts, matchesOf }: OneOrganization,
): Promise<void> {
  const { retentionMs } = app.config.records
  const oldestAt = retentionMs === 0 ? -Infinity : app.clock() - retentionMs
  await app.db.transaction().execute(async (trx) => {
    const there = await stillWatching(trx, organizationId, channel)
    const watchers = ofOne
      .filter(({ watcherId }) => there.has(watcherId))
      .map(({ watcherId, name, subforum }) => ({ id: watcherId, name, subforum }))
    if (watchers.length === 0) return
    await keepRound(trx, app.database.engine, {
      organizationId,
      ...channel,
      watchers,
      posts: posts.filter(({ createdAt }) => createdAt >= oldestAt),
      matchesOf: (post) =>
        matchesOf(organizationId, post).filter(({ watcherId }) => there.has(watcherId)),
      error: outcome.kind === 'failed' ? outcome.message : null,
      startedAt,
      now: app.clock(),
    })
  })
}

function byOrganization({ organizationId }: Watch): string {
  return organizationId
}
