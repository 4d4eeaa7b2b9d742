import { setImmediate as breathe } from 'node:timers/promises'
import { z } from 'zod'
import type { App } from '../app.ts'
import { applyRematch, rematchPages, type Rematch } from '../ingest/rematch.ts'
import { finishJob } from '../queue/job-store.ts'
import { channelIdOf } from '../watchers/create-watcher.ts'
import { REMATCH_WATCHER } from '../watchers/rematch-job.ts'
import { compileMatcher } from '../watchers/rules/matcher.ts'
import {
  channelsOf,
  watcherById,
  type Watcher,
  type WatcherKey,
} from '../watchers/watcher-store.ts'
import type { QueuedJob } from './job.ts'

const Payload = z.object({ organizationId: z.string(), id: z.string() })

/** Applies a watcher's rules, as they are now, to what is stored. */
export const rematchWatcher: QueuedJob = {
  kind: 'queued',
  name: REMATCH_WATCHER,
  queue: 'work',

  async run(app, job, signal) {
    const key = Payload.parse(JSON.parse(job.payload))
    const watcher = await watcherById(app.db, key)
    const counts = { examined: 0, added: 0, dropped: 0 }
    if (watcher !== undefined) {
      const { engine } = app.database
      const place = { engine, organizationId: key.organizationId, watcherId: key.id }
      for await (const { records, changes } of rematchPages(
        app.db,
        await rematchOf(app, watcher),
      )) {
        signal.throwIfAborted()
        await app.db
          .transaction()
          .execute((trx) => applyRematch(trx, { ...place, now: app.clock() }, changes))
        counts.examined += records.length
        counts.added += changes.added.length
        counts.dropped += changes.dropped.length
        await breathe()
      }
    }
    await finishJob(app.db, job, null)
    return { ...key, ...counts }
  },
}

export async function rematchOf(
  { db }: Pick<App, 'db'>,
  watcher: Pick<Watcher, 'rules'> & WatcherKey,
): Promise<Rematch> {
  const { organizationId, id, rules } = watcher
  const matcher = compileMatcher([{ organizationId, watcherId: id, rules }])
  return {
    organizationId,
    watcherId: id,
    channels: (await channelsOf(db, { organizationId, id })).map(channelIdOf),
    match: (post) => matcher.match(post)[0],
  }
}
