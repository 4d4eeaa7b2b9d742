// The worker loop: claim, run, settle. Any number of workers run side by side.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../app.ts'
import { seconds } from '../lib/duration.ts'
import { jobLog } from '../logger.ts'
import { CLAIM_JOBS } from '../queue/claim.ts'
import { enqueueOnce, type Job } from '../queue/job-store.ts'
import type { JobDefinition, QueueName } from './job.ts'
import { LEASE_MS, runJob } from './run-job.ts'

const POLL_EVERY_MS = seconds(1)
const POLL_JITTER = 0.4

/** Crawling waits for the platforms most of the time, and their own pace is kept elsewhere. */
const CONCURRENCY: Record<QueueName, number> = { crawl: 16, work: 4 }

export interface WorkerOptions {
  queues: readonly QueueName[]
  jobs: readonly JobDefinition[]
}

export async function startWorker(
  app: App,
  { queues, jobs }: WorkerOptions,
): Promise<AsyncDisposable> {
  const ours = new Map(
    jobs.filter(({ queue }) => queues.includes(queue)).map((job) => [job.name, job]),
  )
  await enqueueRecurring(app, [...ours.values()])
  const hands = Math.max(...queues.map((queue) => CONCURRENCY[queue]))

  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const loop = work()

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      const free = hands - running.size
      const claimed = await claim(free)
      for (const job of claimed) start(job)
      // All hands busy: there may be more to do as soon as one is free.
      await Promise.race([pause(), ...(claimed.length === free ? running : [])])
    }
  }

  async function claim(limit: number): Promise<Job[]> {
    if (limit === 0 || ours.size === 0) return []
    const lease = { lease: randomUUID(), leaseMs: LEASE_MS }
    const terms = { queues, names: [...ours.keys()], limit, now: app.clock(), ...lease }
    try {
      return await CLAIM_JOBS[app.database.engine](app.db, terms)
    } catch (error) {
      jobLog.error({ err: error }, 'no jobs could be claimed')
      return []
    }
  }

  function start(job: Job): void {
    const known = ours.get(job.name)
    if (known === undefined) return
    const run = runJob(app, job, { known, signal: stopping.signal })
    running.add(run)
    void run.finally(() => running.delete(run))
  }

  function pause(): Promise<void> {
    // Uneven, so that of two processes not always the same one comes first.
    const ms = POLL_EVERY_MS * (1 - POLL_JITTER * Math.random())
    return sleep(ms, undefined, { signal: stopping.signal }).catch(() => {})
  }

  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await loop
      // What takes longer is given up: its lease passes, and somebody else has it.
      const patience = sleep(app.config.shutdownMs, undefined, { ref: false })
      await Promise.race([Promise.all(running), patience])
    },
  }
}

async function enqueueRecurring(app: App, jobs: readonly JobDefinition[]): Promise<void> {
  for (const { kind, queue, name } of jobs) {
    if (kind === 'queued') continue // there when there is something to do
    await enqueueOnce(app.db, { queue, id: name, name, payload: '{}' }, app.clock())
  }
}
