import { setTimeout as sleep } from 'node:timers/promises'
import { organizationIds } from '../accounts/organization-store.ts'
import { firstKeyAt } from '../db/record-key.ts'
import { keysBelow } from '../ingest/stored-post-store.ts'
import { forgetEmptyChannels, purgeRecords as purge } from '../ingest/remove-posts.ts'
import type { RecurringJob } from './job.ts'

/** Small, so that nobody waits long for the writer; with a pause, so that others get their turn. */
const RECORDS_A_STEP = 500
const PAUSE_MS = 20

/** Takes away the records of posts that are older than the setting. */
export const purgeRecords: RecurringJob = {
  kind: 'recurring',
  name: 'purge_records',
  queue: 'work',
  everyMs: ({ config }) => config.jobs.purgeEveryMs,

  async run({ db, database, clock, config }, signal) {
    const { retentionMs } = config.records
    if (retentionMs === 0) return { records: 0 }

    const belowKey = firstKeyAt(clock() - retentionMs)
    let records = 0
    for (const organizationId of await organizationIds(db)) {
      const place = { engine: database.engine, organizationId }
      const before = records
      for (;;) {
        signal.throwIfAborted()
        const keys = await keysBelow(db, { organizationId, belowKey, limit: RECORDS_A_STEP })
        if (keys.length === 0) break
        await db.transaction().execute((trx) => purge(trx, place, keys))
        records += keys.length
        await sleep(PAUSE_MS)
      }
      if (records > before) await db.transaction().execute((trx) => forgetEmptyChannels(trx, place))
    }
    return { records }
  },
}
