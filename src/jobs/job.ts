import type { App } from '../app.ts'
import type { Job } from '../queue/job-store.ts'

export type QueueName = 'crawl' | 'work'

/** What a job did, for its line in the log. */
export type JobReport = Record<string, number | string>

/** One row per installation, whichever process gets to it. */
export interface RecurringJob {
  kind: 'recurring'
  name: string
  queue: QueueName
  everyMs(app: App): number
  /** Must be safe to run twice. */
  run(app: App, signal: AbortSignal): Promise<JobReport>
}

/** One row for each thing to do. It settles its row itself, in the transaction of what it did. */
export interface QueuedJob {
  kind: 'queued'
  name: string
  queue: QueueName
  /** Must be safe to run twice. */
  run(app: App, job: Job, signal: AbortSignal): Promise<JobReport>
}

export type JobDefinition = RecurringJob | QueuedJob

/** Somebody else has the job: what was done under the lost lease must not be kept. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
}
