import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import { runsOf, type Run } from '../ingest/run-store.ts'
import { timePart } from '../lib/id.ts'
import { claimJob, enqueueOnce, type Job } from '../queue/job-store.ts'
import { crawlJobOf } from '../watchers/crawl-job.ts'
import { channelIdOf } from '../watchers/create-watcher.ts'
import { expectWatcher } from '../watchers/expect-watcher.ts'
import type { ChannelId } from '../watchers/watch-store.ts'
import { channelsOf, type WatcherKey } from '../watchers/watcher-store.ts'
import { crawlChannel } from './crawl-channel.ts'
import { LEASE_MS, runJob } from './run-job.ts'

const LOOK_EVERY_MS = 100
const RUNS_SHOWN = 1_000
const MOST_ROUNDS = 3

/** Fetches a watcher's channels now, beside whatever service runs, and returns its runs. */
export async function runWatcherNow(
  app: App,
  key: WatcherKey,
  signal: AbortSignal,
): Promise<Run[]> {
  await expectEnabled(app, key)
  const begunAt = app.clock()
  const channels = (await channelsOf(app.db, key)).map(channelIdOf)
  await Promise.all(channels.map((channel) => crawlFor(app, { key, channel, begunAt, signal })))
  return runsSince(app, key, begunAt)
}

async function expectEnabled({ db }: App, key: WatcherKey): Promise<void> {
  const { enabled } = await expectWatcher(db, key)
  if (enabled) return
  throw new AppError('CONFLICT', 'The watcher is paused. Resume it first.')
}

interface CrawlFor {
  key: WatcherKey
  channel: ChannelId
  begunAt: number
  signal: AbortSignal
}

/** A round may be for others, who have just begun to watch: then the next one is for us. */
async function crawlFor(app: App, { key, channel, begunAt, signal }: CrawlFor): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    await expectEnabled(app, key)
    const job = await takeJob(app, channel, signal)
    await runJob(app, job, { known: crawlChannel, signal })
    signal.throwIfAborted()
    const runs = await runsSince(app, key, begunAt)
    const ours = runs.find(
      ({ platform, subforum }) =>
        platform === channel.platform && subforum.toLowerCase() === channel.channel,
    )
    if (ours !== undefined) return
  }
  throw new AppError('UNAVAILABLE', 'The channel could not be fetched for this watcher: see above.')
}

async function takeJob(app: App, channel: ChannelId, signal: AbortSignal): Promise<Job> {
  const wanted = crawlJobOf(channel)
  for (;;) {
    const now = app.clock()
    await enqueueOnce(app.db, wanted, now)
    const terms = { now, leaseMs: LEASE_MS, lease: randomUUID() }
    const job = await claimJob(app.db, wanted, terms)
    if (job !== undefined) return job
    await sleep(LOOK_EVERY_MS, undefined, { signal })
  }
}

function runsSince({ db }: App, key: WatcherKey, begunAt: number): Promise<Run[]> {
  return runsOf(db, {
    organizationId: key.organizationId,
    watcherId: key.id,
    afterId: `run_${timePart(begunAt)}`,
    limit: RUNS_SHOWN,
  })
}
