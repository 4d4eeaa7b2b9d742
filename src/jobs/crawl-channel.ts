// A round of one channel: it is fetched once, each post is matched once, and every watcher's
// organization gets what is new, one transaction each. The cursor moves last: a round that was cut
// off is made again, and what it had stored is found to be there.

import { z } from 'zod'
import type { App } from '../app.ts'
import { Platform } from '../contract/platform.ts'
import { scheduleRefresh } from '../ingest/refresh-store.ts'
import { finishJob, type Job } from '../queue/job-store.ts'
import { afterFailure, afterSuccess } from '../watchers/channel-state.ts'
import {
  channelState,
  deleteChannel,
  insertGaps,
  saveChannel,
  type ChannelState,
} from '../watchers/channel-store.ts'
import { crawlNow, CRAWL_CHANNEL } from '../watchers/crawl-job.ts'
import { planOf, type Plan } from '../watchers/plan-round.ts'
import { nextFetchAt } from '../watchers/schedule.ts'
import { markStarted, watchesOf, type ChannelId, type Watch } from '../watchers/watch-store.ts'
import { fetchChannel, type FetchOutcome } from './fetch-channel.ts'
import { LeaseLostError, type JobReport, type QueuedJob } from './job.ts'
import { keepForAll } from './keep-for-all.ts'

const Payload = z.object({ platform: Platform, channel: z.string() })

export const crawlChannel: QueuedJob = {
  kind: 'queued',
  name: CRAWL_CHANNEL,
  queue: 'crawl',

  async run(app, job, signal) {
    const channel = Payload.parse(JSON.parse(job.payload))
    const watches = await watchesOf(app.db, channel)
    if (watches.length === 0) return retire(app, job, channel)

    const state = await channelState(app.db, channel)
    const plan = planOf(watches, state)
    const startedAt = app.clock()
    const outcome = await fetchChannel(await app.sources(), { ...channel, ...plan, signal })
    await keepForAll(app, { channel, watches: plan.served, outcome, startedAt })
    await settle(app, job, { channel, watches, state, plan, outcome })
    return reportOf({ channel, plan, outcome })
  },
}

interface Settlement {
  channel: ChannelId
  /** Of everybody: their shortest interval is the channel's. */
  watches: readonly Watch[]
  state: ChannelState
  plan: Plan
  outcome: FetchOutcome
}

async function settle(app: App, job: Job, settlement: Settlement): Promise<void> {
  const { channel, watches, plan, outcome } = settlement
  const now = app.clock()
  const after = stateAfter(settlement, now)
  const seconds = Math.min(...watches.map(({ intervalSeconds }) => intervalSeconds))
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
    if (outcome.kind === 'failed') return
    // What a beginner could not have, only their own cursor knows, and that is not kept: again, then.
    const isServed = plan.movesCursor || !outcome.fetched.isPartial
    if (isServed) await markStarted(trx, channel, { watches: plan.served, now })
    await insertGaps(trx, channel, { gaps: outcome.fetched.gaps, now })
    await scheduleRefresh(trx, outcome.fetched.posts, now)
    const known = new Set(watches.map(nameOf))
    const newcomers = (await watchesOf(trx, channel)).filter((watch) => !known.has(nameOf(watch)))
    if (plan.isForBeginners || newcomers.length > 0) await crawlNow(trx, [channel], now)
  })
}

function stateAfter({ outcome, state, plan }: Settlement, now: number): ChannelState {
  const beginnersNext = !plan.isForBeginners
  if (outcome.kind === 'failed') {
    return afterFailure(state, { error: outcome.message, beginnersNext }, now)
  }
  const cursor = plan.movesCursor ? outcome.fetched.cursor : state.cursor
  return afterSuccess(state, { cursor, beginnersNext }, now)
}

function nameOf({ organizationId, watcherId }: Watch): string {
  return `${organizationId}/${watcherId}`
}

/** Nobody watches it any more. Whoever begins again reads it from the start. */
async function retire(app: App, job: Job, channel: ChannelId): Promise<JobReport> {
  await app.db.transaction().execute(async (trx) => {
    if (!(await finishJob(trx, job, null))) throw new LeaseLostError('the round took too long')
    const watches = await watchesOf(trx, channel)
    if (watches.length > 0) await crawlNow(trx, [channel], app.clock())
    else await deleteChannel(trx, channel)
  })
  return { ...channel, watchers: 0 }
}

function reportOf({ channel, plan, outcome }: Pick<Settlement, 'channel' | 'plan' | 'outcome'>) {
  const about = { ...channel, watchers: plan.served.length }
  if (outcome.kind === 'failed') return { ...about, error: outcome.message }
  return { ...about, posts: outcome.fetched.posts.length, gaps: outcome.fetched.gaps.length }
}
