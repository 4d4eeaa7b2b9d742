import type { EngineName } from '../db/database.ts'
import { claimJobsPostgres } from './claim.postgres.ts'
import { claimJobsSqlite } from './claim.sqlite.ts'
import type { ClaimJobs } from './job-store.ts'

export const CLAIM_JOBS: Record<EngineName, ClaimJobs> = {
  sqlite: claimJobsSqlite,
  postgres: claimJobsPostgres,
}
