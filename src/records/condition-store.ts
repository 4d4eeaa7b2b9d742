// What a record must fulfil, as conditions on a row of `record`. They are always all applied, however
// a row was come by: where candidates come from decides how fast an answer is, never what it is.

import { sql, type RawBuilder } from 'kysely'
import { FIND } from './find-engine.ts'
import type { Finding, WatchedChannel } from './finding.ts'

type Condition = RawBuilder<boolean>

export function conditionsOf(finding: Finding): Condition[] {
  const { wanted } = finding
  return [
    ...anyOf(sql`record.platform`, wanted.platforms),
    ...anyOf(sql`record.channel`, wanted.channels),
    ...atLeast(sql`record.score`, wanted.minScore),
    ...atLeast(sql`record.num_comments`, wanted.minComments),
    ...atLeast(sql`record.created_at`, wanted.fromAt),
    ...when(wanted.toAt !== null, () => sql`record.created_at <= ${wanted.toAt}`),
    ...when(wanted.hasLink, () => sql`record.has_link = 1`),
    ...when(wanted.hasImage, () => sql`record.has_image = 1`),
    ...when(!wanted.includeSuppressed, () => sql`record.verification <> 'coincidental'`),
    ...is(sql`record.read`, wanted.read),
    ...is(sql`record.archived`, wanted.archived),
    ...tagged(finding),
    ...watched(finding),
    ...textConditions(finding),
  ]
}

function textConditions({ engine, wanted }: Finding): Condition[] {
  const { position } = FIND[engine]
  const text = sql`record.text`
  return [
    ...wanted.terms.map((term) => sql<boolean>`${position(text, term)} > 0`),
    ...wanted.without.map((term) => sql<boolean>`${position(text, term)} = 0`),
  ]
}

export function all(conditions: readonly Condition[]): Condition {
  return sql`${sql.join(conditions, sql` and `)}`
}

function when(applies: boolean, condition: () => RawBuilder<unknown>): Condition[] {
  return applies ? [condition() as Condition] : []
}

function atLeast(column: RawBuilder<unknown>, minimum: number | null): Condition[] {
  return when(minimum !== null, () => sql`${column} >= ${minimum}`)
}

function is(column: RawBuilder<unknown>, state: boolean | null): Condition[] {
  return when(state !== null, () => sql`${column} = ${state ? 1 : 0}`)
}

function anyOf(column: RawBuilder<unknown>, accepted: readonly string[]): Condition[] {
  return when(accepted.length > 0, () => sql`${column} in (${sql.join(accepted)})`)
}

function tagged({ engine, organizationId, wanted: { tags } }: Finding): Condition[] {
  return when(
    tags.length > 0,
    () => sql`exists (
      select 1 from record_tag
      where record_tag.organization_id = ${organizationId}
        and record_tag.record_key = record.key and record_tag.tag in (${sql.join(tags)})
        and record_tag.origin <> 'removed'
      ${FIND[engine].rowByRow}
    )`,
  )
}

/** In the matched view: matched by the watcher. Else also: of one of its channels, or seen there. */
function watched({ engine, organizationId, wanted, watch }: Finding): Condition[] {
  if (watch === null) return []
  const { rowByRow } = FIND[engine]
  const matched = sql<boolean>`exists (
    select 1 from record_match
    where record_match.organization_id = ${organizationId}
      and record_match.record_key = record.key and record_match.watcher_id = ${watch.id}
    ${rowByRow}
  )`
  if (wanted.order !== 'newest' || watch.channels.length === 0) return [matched]
  const listed = sql<boolean>`exists (
    select 1 from record_listing
    where record_listing.organization_id = ${organizationId}
      and record_listing.record_key = record.key
      and ${inChannels('record_listing', watch.channels)}
    ${rowByRow}
  )`
  return [sql`(${inChannels('record', watch.channels)} or ${matched} or ${listed})`]
}

function inChannels(table: string, channels: readonly WatchedChannel[]): Condition {
  const pairs = channels.map(
    ({ platform, channel }) =>
      sql`(${sql.ref(`${table}.platform`)} = ${platform} and ${sql.ref(`${table}.channel`)} = ${channel})`,
  )
  return sql`(${sql.join(pairs, sql` or `)})`
}
