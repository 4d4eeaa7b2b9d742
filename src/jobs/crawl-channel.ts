// A round of one channel: it is fetched once, each post is matched once, and every watcher's
// organization gets what is new, one transaction each. The cursor moves last: a round that was cut
// off is made again, and what it had stored is found to be there.

import { z } from 'zod'
import type { App } from '../app.ts'
import { Platform } from '../contract/platform.ts'
import { keepRound } from '../ingest/keep-round.ts'
import { scheduleRefresh } from '../ingest/refresh-store.ts'
import { finishJob, type Job } from '../queue/job-store.ts'
import type { Fetched } from '../sources/source.ts'
import { crawlNow, CRAWL_CHANNEL } from '../watchers/crawl-job.ts'
import { afterFailure, afterSuccess } from '../watchers/channel-state.ts'
import {
  channelState,
  deleteChannel,
  insertGaps,
  saveChannel,
  type ChannelState,
} from '../watchers/channel-store.ts'
import { planOf, type Plan } from '../watchers/plan-round.ts'
import { nextFetchAt } from '../watchers/schedule.ts'
import {
  markStarted,
  stillWatching,
  watchesOf,
  type ChannelId,
  type Watch,
} from '../watchers/watch-store.ts'
import { fetchChannel, type FetchOutcome } from './fetch-channel.ts'
import { LeaseLostError, type JobReport, type QueuedJob } from './job.ts'
import { matchPosts } from './match-posts.ts'

const Payload = z.object({ platform: Platform, channel: z.string() })

const NOTHING: Fetched = { posts: [], cursor: '', gaps: [] }

export const crawlChannel: QueuedJob = {
  kind: 'queued',
  name: CRAWL_CHANNEL,
  queue: 'crawl',

  async run(app, job, signal) {
    const channel = Payload.parse(JSON.parse(job.payload))
    const watches = await watchesOf(app.db, channel)
    if (watches.length === 0) return retire(app, job, channel)

    const state = await channelState(app.db, channel)
    const plan = planOf(watches, state.cursor)
    const startedAt = app.clock()
    const outcome = await fetchChannel(app.sources, { ...channel, ...plan, signal })
    const round = { channel, watches: plan.served, outcome, startedAt }
    await keepForAll(app, round)
    await settle(app, job, { ...round, state, plan, interval: watches })
    return reportOf(round)
  },
}

interface RoundOfChannel {
  channel: ChannelId
  watches: readonly Watch[]
  outcome: FetchOutcome
  startedAt: number
}

async function keepForAll(app: App, round: RoundOfChannel): Promise<void> {
  const { channel, watches, outcome, startedAt } = round
  const { posts } = outcome.kind === 'fetched' ? outcome.fetched : NOTHING
  const matchesOf = await matchPosts(await app.matchers.of(channel), posts)
  for (const [organizationId, ofOne] of Map.groupBy(watches, (watch) => watch.organizationId)) {
    await app.db.transaction().execute(async (trx) => {
      const ids = ofOne.map(({ watcherId }) => watcherId)
      const there = await stillWatching(trx, organizationId, ids)
      const watchers = ofOne
        .filter(({ watcherId }) => there.has(watcherId))
        .map(({ watcherId, name, subforum }) => ({ id: watcherId, name, subforum }))
      if (watchers.length === 0) return
      await keepRound(trx, app.database.engine, {
        organizationId,
        platform: channel.platform,
        watchers,
        posts,
        matchesOf: (post) =>
          matchesOf(organizationId, post).filter(({ watcherId }) => there.has(watcherId)),
        error: outcome.kind === 'failed' ? outcome.message : null,
        startedAt,
        now: app.clock(),
      })
    })
  }
}

interface Settlement extends RoundOfChannel {
  state: ChannelState
  plan: Plan
  interval: readonly Watch[]
}

async function settle(app: App, job: Job, settlement: Settlement): Promise<void> {
  const { channel, outcome, state, plan, interval } = settlement
  const now = app.clock()
  const after = stateAfter(outcome, { state, plan, now })
  const seconds = Math.min(...interval.map(({ intervalSeconds }) => intervalSeconds))
  const runAt = nextFetchAt({
    intervalMs: seconds * 1_000,
    failures: after.failures,
    retryAfterMs: outcome.kind === 'failed' ? outcome.retryAfterMs : null,
    now,
    chance: Math.random(),
  })
  await app.db.transaction().execute(async (trx) => {
    // First: from here on nobody can add a watcher without seeing that nobody is at the job.
    if (!(await finishJob(trx, job, runAt))) throw new LeaseLostError('the round took too long')

    await saveChannel(trx, channel, after)
    if (outcome.kind === 'fetched') {
      await markStarted(trx, channel, { watches: plan.served, now })
      await insertGaps(trx, channel, { gaps: outcome.fetched.gaps, now })
      await scheduleRefresh(trx, outcome.fetched.posts, now)
      const left = await watchesOf(trx, channel)
      const waiting = left.some(({ startedAt }) => startedAt === null)
      if (waiting || !plan.everybody) await crawlNow(trx, [channel], now)
    }
  })
}

function stateAfter(
  outcome: FetchOutcome,
  { state, plan, now }: { state: ChannelState; plan: Plan; now: number },
): ChannelState {
  if (outcome.kind === 'failed') return afterFailure(state, outcome.message, now)
  return afterSuccess(plan.everybody ? outcome.fetched.cursor : state.cursor, now)
}

/** Nobody watches it any more. Whoever begins again reads it from the start. */
async function retire(app: App, job: Job, channel: ChannelId): Promise<JobReport> {
  await app.db.transaction().execute(async (trx) => {
    if (!(await finishJob(trx, job, null))) throw new LeaseLostError('the round took too long')
    const watches = await watchesOf(trx, channel)
    if (watches.length > 0) await crawlNow(trx, [channel], app.clock())
    else await deleteChannel(trx, channel)
  })
  return { platform: channel.platform, channel: channel.channel, watchers: 0 }
}

function reportOf({ channel, watches, outcome }: RoundOfChannel): JobReport {
  const about = { platform: channel.platform, channel: channel.channel, watchers: watches.length }
  if (outcome.kind === 'failed') return { ...about, error: outcome.message }
  return { ...about, posts: outcome.fetched.posts.length, gaps: outcome.fetched.gaps.length }
}
