// Where the records of a narrow filter are found without looking at the others: by channel, by tag, by
// watcher. Each list is in the order of the key; several are merged.

import { sql, type RawBuilder } from 'kysely'
import type { Platform } from '../contract/platform.ts'
import { PLATFORMS } from '../contract/platform.ts'
import { INDEXED_BY } from '../db/indexed-by.ts'
import type { Candidates, KeyRange } from './find-engine.ts'
import type { Finding } from './finding.ts'

/** More lists than this cost more to merge than they spare. */
const MOST_LISTS = 32

interface KeyList {
  table: RawBuilder<unknown>
  key: string
  where: RawBuilder<unknown>
}

/** Of the channels that are named. */
export function channelCandidates({ engine, organizationId, wanted }: Finding): Candidates | null {
  if (wanted.channels.length === 0) return null
  const platforms = wanted.platforms.length === 0 ? PLATFORMS : wanted.platforms
  return merged(
    platforms.flatMap((platform) =>
      wanted.channels.map((channel) => ofChannel(engine, organizationId, { platform, channel })),
    ),
  )
}

/** Of the tags that are named. */
export function tagCandidates({ organizationId, wanted }: Finding): Candidates | null {
  return merged(
    wanted.tags.map((tag) => ({
      table: sql`record_tag`,
      key: 'record_key',
      where: sql`organization_id = ${organizationId} and tag = ${tag}`,
    })),
  )
}

/** Of the watcher: what it matched and, beside the matched view, what came by its channels. */
export function watcherCandidates(finding: Finding): Candidates | null {
  const { engine, organizationId, wanted, watch } = finding
  if (watch === null) return null
  const matched = {
    table: sql`record_match`,
    key: 'record_key',
    where: sql`organization_id = ${organizationId} and watcher_id = ${watch.id}`,
  }
  if (wanted.order !== 'newest') return merged([matched])
  const lists = watch.channels.flatMap((one) => [
    ofChannel(engine, organizationId, one),
    {
      table: sql`record_listing`,
      key: 'record_key',
      where: sql`organization_id = ${organizationId} and platform = ${one.platform}
        and channel = ${one.channel}`,
    },
  ])
  return merged([matched, ...lists])
}

function ofChannel(
  engine: Finding['engine'],
  organizationId: string,
  { platform, channel }: { platform: Platform; channel: string },
): KeyList {
  return {
    table: INDEXED_BY[engine]('record', 'record_channel'),
    key: 'key',
    where: sql`organization_id = ${organizationId} and removed_at is null
      and platform = ${platform} and channel = ${channel}`,
  }
}

function merged(lists: readonly KeyList[]): Candidates | null {
  if (lists.length === 0 || lists.length > MOST_LISTS) return null
  return (range, limit) => {
    const arms = lists.map((list) => sql`select key from (${top(list, range, limit)}) as list`)
    return sql`${sql.join(arms, sql` union `)} order by key desc limit ${limit}`
  }
}

function top({ table, key, where }: KeyList, { below, floor }: KeyRange, limit: number) {
  const column = sql.ref(key)
  const upTo = below === null ? sql`` : sql`and ${column} < ${below}`
  const downTo = floor === null ? sql`` : sql`and ${column} >= ${floor}`
  return sql`
    select ${column} as key from ${table}
    where ${where} ${upTo} ${downTo}
    order by ${column} desc limit ${limit}`
}
