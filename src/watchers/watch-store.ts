// Reads `watcher` and `watcher_channel` from the channel's side: who watches it, over all
// organizations. A watch is one watcher on one channel.

import type { Platform } from '../contract/platform.ts'
import type { Rule } from '../contract/watcher.ts'
import { fromJsonText } from '../db/codecs.ts'
import type { Db, Trx } from '../db/database.ts'

export interface ChannelId {
  platform: Platform
  channel: string
}

export interface Watch {
  organizationId: string
  watcherId: string
  name: string
  /** The channel's name as this watcher wrote it. */
  subforum: string
  intervalSeconds: number
  /** Null until its first run. */
  startedAt: number | null
}

/** Those of enabled watchers. */
export async function watchesOf(db: Db, id: ChannelId): Promise<Watch[]> {
  return watchesOn(db, id)
    .select(['watch.organization_id as organizationId', 'watch.watcher_id as watcherId'])
    .select(['watcher.name', 'watch.subforum', 'watch.started_at as startedAt'])
    .select('watcher.interval_seconds as intervalSeconds')
    .orderBy('watch.organization_id')
    .orderBy('watch.watcher_id')
    .execute()
}

export interface RulesOfWatch {
  organizationId: string
  watcherId: string
  rules: Rule[]
}

export async function rulesOf(db: Db, id: ChannelId): Promise<RulesOfWatch[]> {
  const rows = await watchesOn(db, id)
    .select(['watch.organization_id as organizationId', 'watch.watcher_id as watcherId'])
    .select('watcher.rules')
    .orderBy('watch.organization_id')
    .orderBy('watch.watcher_id')
    .execute()
  return rows.map((row) => ({ ...row, rules: fromJsonText<Rule>(row.rules) }))
}

/** The watchers of an organization that watch the channel at this moment. */
export async function stillWatching(
  trx: Trx,
  organizationId: string,
  id: ChannelId,
): Promise<Set<string>> {
  const rows = await watchesOn(trx, id)
    .select('watch.watcher_id as id')
    .where('watch.organization_id', '=', organizationId)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export async function markStarted(
  trx: Trx,
  { platform, channel }: ChannelId,
  { watches, now }: { watches: readonly Watch[]; now: number },
): Promise<void> {
  for (const { organizationId, watcherId } of watches) {
    await trx
      .updateTable('watcher_channel')
      .set({ started_at: now })
      .where('organization_id', '=', organizationId)
      .where('watcher_id', '=', watcherId)
      .where('platform', '=', platform)
      .where('channel', '=', channel)
      .where('started_at', 'is', null)
      .execute()
  }
}

/** The channels an organization's enabled watchers watch. */
export async function watchedChannels(db: Db, organizationId: string): Promise<ChannelId[]> {
  const rows = await enabledWatches(db)
    .select(['watch.platform', 'watch.channel'])
    .where('watch.organization_id', '=', organizationId)
    .distinct()
    .execute()
  return rows as ChannelId[]
}

function watchesOn(db: Db, { platform, channel }: ChannelId) {
  return enabledWatches(db)
    .where('watch.platform', '=', platform)
    .where('watch.channel', '=', channel)
}

function enabledWatches(db: Db) {
  return db
    .selectFrom('watcher_channel as watch')
    .innerJoin('watcher', (join) =>
      join
        .onRef('watcher.organization_id', '=', 'watch.organization_id')
        .onRef('watcher.id', '=', 'watch.watcher_id'),
    )
    .where('watcher.enabled', '=', 1)
}
