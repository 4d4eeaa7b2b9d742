import { setTimeout as sleep } from 'node:timers/promises'
import { organizationIds } from '../accounts/organization-store.ts'
import type { App } from '../app.ts'
import {
  deleteDeliveries,
  deleteOldRedeliveries,
  deliveriesOfDeleted,
  deleteEmptiedWebhooks,
  endedDeliveries,
} from '../events/purge-store.ts'
import { deleteUntoldEvents } from '../events/event-store.ts'
import { firstIdAt } from '../lib/id.ts'
import type { RecurringJob } from './job.ts'

/** Small, so that nobody waits long for the writer; with a pause, so that others get their turn. */
const ROWS_A_STEP = 500
const PAUSE_MS = 20

/** Takes away what deleted webhooks left behind, and the log of what is over for long enough. */
export const purgeDeliveries: RecurringJob = {
  kind: 'recurring',
  name: 'purge_deliveries',
  queue: 'work',
  everyMs: ({ config }) => config.jobs.purgeEveryMs,

  async run(app, signal) {
    let deliveries = 0
    let events = 0
    for (const organizationId of await organizationIds(app.db)) {
      deliveries += await purge(app, organizationId, signal)
      events += await purgeEvents(app, organizationId, signal)
    }
    await deleteEmptiedWebhooks(app.db)
    return { deliveries, events }
  },
}

async function purge({ db, config, clock }: App, organizationId: string, signal: AbortSignal) {
  const { retentionMs } = config.webhooks
  const before = clock() - retentionMs
  const left = () => deliveriesOfDeleted(db, organizationId, ROWS_A_STEP)
  const ended = (afterId: string) =>
    endedDeliveries(db, { organizationId, before, afterId, limit: ROWS_A_STEP })
  let count = 0
  for (const next of retentionMs === 0 ? [left] : [left, ended]) {
    for (let ids = await next(''); ids.length > 0; ids = await next(ids.at(-1) ?? '')) {
      signal.throwIfAborted()
      await deleteDeliveries(db, organizationId, ids)
      count += ids.length
      await sleep(PAUSE_MS)
    }
  }
  return count
}

async function purgeEvents(
  { db, config, clock }: App,
  organizationId: string,
  signal: AbortSignal,
) {
  const { retentionMs } = config.webhooks
  if (retentionMs === 0) return 0
  const before = firstIdAt('evt', clock() - retentionMs)
  await deleteOldRedeliveries(db, { organizationId, before: clock() - retentionMs })
  let count = 0
  for (;;) {
    signal.throwIfAborted()
    const some = await deleteUntoldEvents(db, { organizationId, before, limit: ROWS_A_STEP })
    if (some === 0) return count
    count += some
    await sleep(PAUSE_MS)
  }
}
