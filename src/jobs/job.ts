import type { App } from '../app.ts'

export type QueueName = 'crawl' | 'work'

/** A recurring job: one row per installation, whichever process gets to it. */
export interface RecurringJob {
  name: string
  queue: QueueName
  everyMs(app: App): number
  /** Must be safe to run twice. What it returns is logged. */
  run(app: App, signal: AbortSignal): Promise<Record<string, number>>
}
