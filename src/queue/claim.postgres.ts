import { dueKeys, lease, type ClaimJobs } from './job-store.ts'

/** Workers claim side by side: each steps over what another has its hand on. */
export const claimJobsPostgres: ClaimJobs = (db, claim) =>
  lease(db, dueKeys(db, claim).forUpdate().skipLocked(), claim)
