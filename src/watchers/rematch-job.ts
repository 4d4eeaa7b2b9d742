import type { Db } from '../db/database.ts'
import { newId } from '../lib/id.ts'
import { enqueueOnce } from '../queue/job-store.ts'
import type { WatcherKey } from './watcher-store.ts'

const WORK_QUEUE = 'work'
export const REMATCH_WATCHER = 'rematch_watcher'

/** A job of its own for every change: one that runs already may have read the rules before. */
export async function enqueueRematch(db: Db, key: WatcherKey, now: number): Promise<void> {
  const id = newId('rematch', now)
  const payload = JSON.stringify({ organizationId: key.organizationId, id: key.id })
  await enqueueOnce(db, { queue: WORK_QUEUE, id, name: REMATCH_WATCHER, payload }, now)
}
