// Owns the tables `channel` and `channel_gap`: what is known of a channel, whoever watches it.

import type { Db, Trx } from '../db/database.ts'
import type { ChannelId } from './watch-store.ts'

export interface ChannelState {
  cursor: string | null
  fetchedAt: number | null
  /** Whose turn it is when some have only begun to watch: theirs, or the others'. */
  beginnersNext: boolean
  /** How often it failed in a row. */
  failures: number
  failingSince: number | null
  lastError: string | null
}

const UNKNOWN: ChannelState = {
  cursor: null,
  fetchedAt: null,
  beginnersNext: true,
  failures: 0,
  failingSince: null,
  lastError: null,
}

export async function channelState(
  db: Db,
  { platform, channel }: ChannelId,
): Promise<ChannelState> {
  const row = await db
    .selectFrom('channel')
    .select(['cursor', 'fetched_at as fetchedAt', 'failures', 'failing_since as failingSince'])
    .select(['last_error as lastError', 'beginners_next as beginnersNext'])
    .where('platform', '=', platform)
    .where('channel', '=', channel)
    .executeTakeFirst()
  return row === undefined ? UNKNOWN : { ...row, beginnersNext: row.beginnersNext === 1 }
}

export async function saveChannel(
  trx: Trx,
  { platform, channel }: ChannelId,
  state: ChannelState,
): Promise<void> {
  const columns = {
    cursor: state.cursor,
    fetched_at: state.fetchedAt,
    beginners_next: state.beginnersNext ? 1 : 0,
    failures: state.failures,
    failing_since: state.failingSince,
    last_error: state.lastError,
  }
  await trx
    .insertInto('channel')
    .values({ platform, channel, ...columns })
    .onConflict((conflict) => conflict.columns(['platform', 'channel']).doUpdateSet(columns))
    .execute()
}

export async function deleteChannel(trx: Trx, { platform, channel }: ChannelId): Promise<void> {
  await trx
    .deleteFrom('channel')
    .where('platform', '=', platform)
    .where('channel', '=', channel)
    .execute()
}

export interface ChannelGap {
  fromAt: number
  toAt: number
  reason: string
}

export async function insertGaps(
  trx: Trx,
  { platform, channel }: ChannelId,
  { gaps, now }: { gaps: readonly ChannelGap[]; now: number },
): Promise<void> {
  if (gaps.length === 0) return
  const rows = gaps.map(({ fromAt, toAt, reason }) => ({
    platform,
    channel,
    from_at: fromAt,
    to_at: toAt,
    reason,
    noticed_at: now,
  }))
  await trx
    .insertInto('channel_gap')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['platform', 'channel', 'from_at', 'to_at']).doNothing(),
    )
    .execute()
}

/** Newest first. */
export async function gapsOf(
  db: Db,
  { platform, channel }: ChannelId,
  limit: number,
): Promise<ChannelGap[]> {
  return db
    .selectFrom('channel_gap')
    .select(['from_at as fromAt', 'to_at as toAt', 'reason'])
    .where('platform', '=', platform)
    .where('channel', '=', channel)
    .orderBy('from_at', 'desc')
    .limit(limit)
    .execute()
}

/** How many channels have failed so many times in a row; one row for each number of failures. */
export async function failureCounts(db: Db): Promise<{ failures: number; channels: number }[]> {
  return db
    .selectFrom('channel')
    .select(({ fn }) => ['failures', fn.countAll<number>().as('channels')])
    .groupBy('failures')
    .execute()
}
