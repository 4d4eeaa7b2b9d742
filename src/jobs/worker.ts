// The worker loop: claim, run, settle. Any number of workers run side by side.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../app.ts'
import { seconds } from '../lib/duration.ts'
import { jobLog } from '../logger.ts'
import { CLAIM_JOBS } from '../queue/claim.ts'
import { enqueueOnce, type Job } from '../queue/job-store.ts'
import type { QueueName, RecurringJob } from './job.ts'
import { LEASE_MS, runJob } from './run-job.ts'

const POLL_EVERY_MS = seconds(1)
const CONCURRENCY = 4

export interface WorkerOptions {
  queues: readonly QueueName[]
  jobs: readonly RecurringJob[]
}

export async function startWorker(
  app: App,
  { queues, jobs }: WorkerOptions,
): Promise<AsyncDisposable> {
  const ours = jobs.filter(({ queue }) => queues.includes(queue))
  for (const { queue, name } of ours) {
    await enqueueOnce(app.db, { queue, id: name, name, payload: '{}' }, app.clock())
  }

  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const loop = work()

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      for (const job of await claim(CONCURRENCY - running.size)) start(job)
      await sleep(POLL_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  async function claim(limit: number): Promise<Job[]> {
    if (limit === 0) return []
    const terms = { queues, limit, now: app.clock(), leaseMs: LEASE_MS, lease: randomUUID() }
    try {
      return await CLAIM_JOBS[app.database.engine](app.db, terms)
    } catch (error) {
      jobLog.error({ err: error }, 'no jobs could be claimed')
      return []
    }
  }

  function start(job: Job): void {
    const known = ours.find(({ name }) => name === job.name)
    if (known === undefined) return // of a newer release beside us: its lease passes, they take it
    const run = runJob(app, job, { known, signal: stopping.signal })
    running.add(run)
    void run.finally(() => running.delete(run))
  }

  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await loop
      await Promise.all(running)
    },
  }
}
