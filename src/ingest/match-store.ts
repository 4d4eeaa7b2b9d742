// Owns `record_match` and `record_tag`: which watcher matched a record, by what, and the tags it has.

import { fromJsonText, toJsonText } from '../db/codecs.ts'
import type { Db, Trx } from '../db/database.ts'

export interface MatchRow {
  recordKey: number
  watcherId: string
  ruleIndex: number
  term: string | null
  field: string | null
  position: number | null
  tags: readonly string[]
}

/** One that is there already stays as it was: it tells when and by what the record was matched. */
export async function insertMatches(
  trx: Trx,
  { organizationId, now }: { organizationId: string; now: number },
  matches: readonly MatchRow[],
): Promise<void> {
  if (matches.length === 0) return
  const rows = matches.map((match) => ({
    organization_id: organizationId,
    record_key: match.recordKey,
    watcher_id: match.watcherId,
    rule: match.ruleIndex,
    term: match.term,
    field: match.field,
    position: match.position,
    tags: toJsonText(match.tags),
    matched_at: now,
  }))
  await trx
    .insertInto('record_match')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'record_key', 'watcher_id']).doNothing(),
    )
    .execute()
}

export async function insertRuleTags(
  trx: Trx,
  organizationId: string,
  tags: readonly { recordKey: number; tag: string }[],
): Promise<void> {
  if (tags.length === 0) return
  const rows = tags.map(({ recordKey, tag }) => ({
    organization_id: organizationId,
    record_key: recordKey,
    tag,
    origin: 'rule',
  }))
  await trx
    .insertInto('record_tag')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'record_key', 'tag']).doNothing(),
    )
    .execute()
}

/** What was said of these records, by the watcher named or by all. */
export async function matchesOfRecords(
  db: Db,
  { organizationId, watcherId }: { organizationId: string; watcherId?: string },
  keys: readonly number[],
): Promise<MatchRow[]> {
  if (keys.length === 0) return []
  let query = db
    .selectFrom('record_match')
    .select(['record_key as recordKey', 'watcher_id as watcherId', 'rule as ruleIndex', 'term'])
    .select(['field', 'position', 'tags'])
    .where('organization_id', '=', organizationId)
    .where('record_key', 'in', keys)
  if (watcherId !== undefined) query = query.where('watcher_id', '=', watcherId)
  const rows = await query.execute()
  return rows.map((row) => ({ ...row, tags: fromJsonText(row.tags) }))
}

export async function deleteMatches(
  trx: Trx,
  { organizationId, watcherId }: { organizationId: string; watcherId: string },
  keys: readonly number[],
): Promise<void> {
  if (keys.length === 0) return
  await trx
    .deleteFrom('record_match')
    .where('organization_id', '=', organizationId)
    .where('record_key', 'in', keys)
    .where('watcher_id', '=', watcherId)
    .execute()
}

/** Tags that people gave stay. */
export async function deleteRuleTags(
  trx: Trx,
  organizationId: string,
  tags: readonly { recordKey: number; tag: string }[],
): Promise<void> {
  for (const [tag, some] of Map.groupBy(tags, (one) => one.tag)) {
    await trx
      .deleteFrom('record_tag')
      .where('organization_id', '=', organizationId)
      .where(
        'record_key',
        'in',
        some.map(({ recordKey }) => recordKey),
      )
      .where('tag', '=', tag)
      .where('origin', '=', 'rule')
      .execute()
  }
}
