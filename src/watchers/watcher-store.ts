// Watchers owns what is to be watched: watchers, their channels and rules, and what is known of each
// channel. It fetches nothing. This file owns the tables `watcher` and `watcher_channel`.

import type { Platform } from '../contract/platform.ts'
import type { Channel, Rule } from '../contract/watcher.ts'
import { fromJsonText, toJsonText } from '../db/codecs.ts'
import type { Db, Trx } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'

export interface Watcher {
  organizationId: string
  id: string
  name: string
  rules: Rule[]
  brief: string | null
  intervalSeconds: number
  enabled: boolean
  createdAt: number
}

export interface WatcherKey {
  organizationId: string
  id: string
}

export async function insertWatcher(trx: Trx, watcher: Watcher): Promise<void> {
  await trx
    .insertInto('watcher')
    .values({
      organization_id: watcher.organizationId,
      id: watcher.id,
      created_at: watcher.createdAt,
      ...columnsOf(watcher),
    })
    .execute()
}

/** False when the organization has no such watcher. */
export async function updateWatcher(
  trx: Trx,
  watcher: Omit<Watcher, 'createdAt'>,
): Promise<boolean> {
  const result = await trx
    .updateTable('watcher')
    .set(columnsOf(watcher))
    .where('organization_id', '=', watcher.organizationId)
    .where('id', '=', watcher.id)
    .executeTakeFirstOrThrow()
  return result.numUpdatedRows > 0n
}

/** Its channels go with it. False when the organization has no such watcher. */
export async function deleteWatcher(
  trx: Trx,
  { organizationId, id }: WatcherKey,
): Promise<boolean> {
  const result = await trx
    .deleteFrom('watcher')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return result.numDeletedRows > 0n
}

/** In the order they were made. */
export async function watchersOf(db: Db, organizationId: string): Promise<Watcher[]> {
  const rows = await db
    .selectFrom('watcher')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .execute()
  return rows.map(watcherOf)
}

export async function watcherById(
  db: Db,
  { organizationId, id }: WatcherKey,
): Promise<Watcher | undefined> {
  const row = await db
    .selectFrom('watcher')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && watcherOf(row)
}

/** By way of the organizations, whose number is small: every index of `watcher` starts with one. */
export async function organizationOfWatcher(db: Db, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('organization')
    .innerJoin('watcher', 'watcher.organization_id', 'organization.id')
    .select('organization.id')
    .where('watcher.id', '=', id)
    .executeTakeFirst()
  return row?.id
}

export async function channelsOf(db: Db, { organizationId, id }: WatcherKey): Promise<Channel[]> {
  const rows = await db
    .selectFrom('watcher_channel')
    .select(['platform', 'channel', 'subforum'])
    .where('organization_id', '=', organizationId)
    .where('watcher_id', '=', id)
    .orderBy('platform')
    .orderBy('channel')
    .execute()
  return rows.map(({ platform, channel, subforum }) => ({
    platform: platform as Platform,
    key: channel,
    subforum,
  }))
}

export async function insertChannels(
  trx: Trx,
  { organizationId, id }: WatcherKey,
  channels: readonly Channel[],
): Promise<void> {
  if (channels.length === 0) return
  const rows = channels.map(({ platform, key, subforum }) => ({
    organization_id: organizationId,
    watcher_id: id,
    platform,
    channel: key,
    subforum,
    started_at: null,
  }))
  await trx.insertInto('watcher_channel').values(rows).execute()
}

export async function deleteChannels(
  trx: Trx,
  { organizationId, id }: WatcherKey,
  channels: readonly Channel[],
): Promise<void> {
  for (const { platform, key } of channels) {
    await trx
      .deleteFrom('watcher_channel')
      .where('organization_id', '=', organizationId)
      .where('watcher_id', '=', id)
      .where('platform', '=', platform)
      .where('channel', '=', key)
      .execute()
  }
}

/** What was posted while it did not watch is looked for from the start again. */
export async function forgetStarts(trx: Trx, { organizationId, id }: WatcherKey): Promise<void> {
  await trx
    .updateTable('watcher_channel')
    .set({ started_at: null })
    .where('organization_id', '=', organizationId)
    .where('watcher_id', '=', id)
    .execute()
}

export async function setEnabled(
  trx: Trx,
  { organizationId, id }: WatcherKey,
  enabled: boolean,
): Promise<void> {
  await trx
    .updateTable('watcher')
    .set({ enabled: enabled ? 1 : 0 })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

function columnsOf({ name, rules, brief, intervalSeconds, enabled }: Omit<Watcher, 'createdAt'>) {
  return {
    name,
    rules: toJsonText(rules),
    brief,
    interval_seconds: intervalSeconds,
    enabled: enabled ? 1 : 0,
  }
}

function watcherOf(row: Tables['watcher']): Watcher {
  return {
    organizationId: row.organization_id,
    id: row.id,
    name: row.name,
    rules: fromJsonText<Rule>(row.rules),
    brief: row.brief,
    intervalSeconds: row.interval_seconds,
    enabled: row.enabled === 1,
    createdAt: row.created_at,
  }
}
