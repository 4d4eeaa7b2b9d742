import type { RecurringJob } from './job.ts'
import { purgeExpired } from './purge-expired.ts'

export const RECURRING_JOBS: readonly RecurringJob[] = [purgeExpired]
