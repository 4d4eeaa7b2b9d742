import type { App } from '../app.ts'
import { seconds } from '../lib/duration.ts'
import { jobLog } from '../logger.ts'
import { failJob, finishJob, giveBack, renewLease, type Job } from '../queue/job-store.ts'
import { retryDelayMs } from '../queue/retry-delay.ts'
import type { JobDefinition, JobReport } from './job.ts'

/** How long the work of a process that was killed waits for another. */
export const LEASE_MS = seconds(20)
const RENEW_EVERY_MS = LEASE_MS / 4

/** Runs a claimed job and settles it. Never throws: what cannot be settled is due again later. */
export async function runJob(
  app: App,
  job: Job,
  { known, signal }: { known: JobDefinition; signal: AbortSignal },
): Promise<void> {
  const renewing = setInterval(() => {
    renewLease(app.db, job, app.clock() + LEASE_MS).catch(() => {}) // the next one may succeed
  }, RENEW_EVERY_MS)
  try {
    const startedAt = app.clock()
    const report = await runAs(known, { app, job, signal })
    const durationMs = app.clock() - startedAt
    jobLog.info({ 'job.name': job.name, durationMs, ...report }, 'job finished')
  } catch (error) {
    await settleFailure(app, job, { error, aborted: signal.aborted })
  } finally {
    clearInterval(renewing)
  }
}

async function runAs(
  known: JobDefinition,
  { app, job, signal }: { app: App; job: Job; signal: AbortSignal },
): Promise<JobReport> {
  if (known.kind === 'queued') return known.run(app, job, signal)

  const report = await known.run(app, signal)
  await finishJob(app.db, job, app.clock() + known.everyMs(app))
  return report
}

async function settleFailure(
  { db, clock }: App,
  job: Job,
  { error, aborted }: { error: unknown; aborted: boolean },
): Promise<void> {
  try {
    if (aborted) return await giveBack(db, job, clock())

    jobLog.error({ 'job.name': job.name, attempt: job.attempts, err: error }, 'job failed')
    const message = error instanceof Error ? error.message : String(error)
    await failJob(db, job, { runAt: clock() + retryDelayMs(job.attempts), error: message })
  } catch (settling) {
    jobLog.error({ 'job.name': job.name, err: settling }, 'job could not be settled')
  }
}
