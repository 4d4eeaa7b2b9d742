import { dueKeys, lease, type ClaimJobs } from './job-store.ts'

/** One statement, and SQLite lets one writer in at a time: nothing is taken twice. */
export const claimJobsSqlite: ClaimJobs = (db, claim) => lease(db, dueKeys(db, claim), claim)
