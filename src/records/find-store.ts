// Reads `record` for lists and searches. Every statement is bounded: it looks at so many rows and no
// more, so that none keeps a reader for long.

import { sql, type CompiledQuery, type RawBuilder } from 'kysely'
import type { Db, EngineName } from '../db/database.ts'
import { INDEXED_BY } from '../db/indexed-by.ts'
import { BEYOND_KEYS } from '../db/record-key.ts'
import { BORDER } from '../db/search-text.ts'
import { ELLIPSIS } from '../lib/snippet.ts'
import { all, conditionsOf } from './condition-store.ts'
import { FIND, type Candidates, type KeyRange } from './find-engine.ts'
import type { Finding } from './finding.ts'
import type { FoundRecord } from './found-record.ts'
import { keptStatement, type Filling } from './kept-statements.ts'
import { isEverything, isOneTerm } from './plain-finding.ts'
import { inOrder, type Position } from './position.ts'
import type { Order } from './wanted.ts'

/** How much of a body is read for its excerpt, and how much of that before a match. */
const EXCERPT = 700
const EXCERPT_BEFORE = 200

/** Below every key, score and time. */
const LOWEST = sql.lit(-BEYOND_KEYS)

interface Sorting {
  index: 'record_newest' | 'record_matched' | 'record_matched_score' | 'record_matched_comments'
  /** What it is sorted by before the key. */
  column: RawBuilder<number> | null
}

const SORTINGS: Record<Order, Sorting> = {
  newest: { index: 'record_newest', column: null },
  firstSeenAt: { index: 'record_matched', column: sql`record.first_seen_at` },
  score: { index: 'record_matched_score', column: sql`record.score` },
  numComments: { index: 'record_matched_comments', column: sql`record.num_comments` },
}

/** From behind one place of the order, null being its beginning, to another, which is included. */
interface Stretch {
  behind: Position | null
  downTo: Position | null
}

/** What is `distance` records further in the order, whatever the conditions; null past the end. */
export async function placeAfter(
  db: Db,
  finding: Finding,
  further: Further,
): Promise<Position | null> {
  const { rows } = await furtherOn(finding, further).execute(db)
  const [row] = rows
  if (row === undefined) return null
  return finding.wanted.order === 'newest' ? [row.key] : [row.value, row.key]
}

interface Further {
  behind: Position | null
  distance: number
}

function furtherOn(
  finding: Finding,
  { behind, distance }: Further,
): RawBuilder<{ value: number; key: number }> {
  const { index, column } = SORTINGS[finding.wanted.order]
  return sql`
    select ${column ?? sql`record.key`} as value, record.key as key
    from ${INDEXED_BY[finding.engine]('record', index)}
    where ${all([...held(finding), ...between(finding, { behind, downTo: null })])}
    order by ${descending(finding)} limit 1 offset ${distance - 1}`
}

/** Along the index of the order; the conditions that the index holds are tried on it alone. */
export async function foundAlong(db: Db, finding: Finding, along: Along): Promise<FoundRecord[]> {
  const { rows } = await db.executeQuery<FoundRecord>(alongQuery(db, finding, along))
  return inOrder(rows, finding.wanted.order)
}

function alongQuery(db: Db, finding: Finding, along: Along): CompiledQuery<FoundRecord> {
  const { stretch, within, limit } = along
  const isPlain = isEverything(finding) || isOneTerm(finding)
  if (!isPlain || within !== null || finding.shownTerm?.includes(ELLIPSIS) === true) {
    return alongStatement(finding, along).compile(db)
  }
  const { engine, organizationId, shownTerm: term, wanted } = finding
  const [behind = null] = stretch.behind ?? []
  const [downTo = null] = stretch.downTo ?? []
  const filling = { organizationId, term, behind, downTo, limit }
  const name = `along ${engine} ${wanted.includeSuppressed}`
  const make = (blanks: Filling) => alongStatement(...withBlanks(finding, blanks))
  return keptStatement(db, name, make, filling) as CompiledQuery<FoundRecord>
}

function withBlanks(finding: Finding, blanks: Filling): [Finding, Along] {
  const { organizationId, term, behind, downTo, limit } = blanks
  const wanted = { ...finding.wanted, terms: term === null ? [] : [term] }
  const stretch = {
    behind: behind === null ? null : [behind],
    downTo: downTo === null ? null : [downTo],
  }
  return [
    { ...finding, organizationId, wanted, shownTerm: term },
    { stretch, within: null, limit },
  ]
}

interface Along {
  stretch: Stretch
  /** Looks at no more than so many records, whatever the conditions; null does not stop. */
  within: number | null
  limit: number
}

function alongStatement(
  finding: Finding,
  { stretch, within, limit }: Along,
): RawBuilder<FoundRecord> {
  const { index } = SORTINGS[finding.wanted.order]
  const further = { behind: stretch.behind, distance: within ?? 0 }
  const bounds = [
    ...between(finding, stretch),
    ...(within === null ? [] : [notBeyond(finding, further)]),
  ]
  return sql`
    select ${columnsOf(finding)}
    from ${INDEXED_BY[finding.engine]('record', index)}
    where ${all([...held(finding), ...bounds, ...conditionsOf(finding)])}
    order by ${descending(finding)} limit ${limit}`
}

/** Asked within the statement instead of before it; past the end there is no bound. */
function notBeyond(finding: Finding, further: Further): RawBuilder<boolean> {
  const { column } = SORTINGS[finding.wanted.order]
  return sql`(${column ?? sql`record.key`}, record.key) >= (
    select value, key from (${furtherOn(finding, further)}) as last
    union all select ${LOWEST}, ${LOWEST} limit 1
  )`
}

export interface FoundAmong {
  found: FoundRecord[]
  /** How many candidates there were, and the lowest key of them. */
  candidates: number
  lowest: number | null
}

export async function foundAmong(
  db: Db,
  finding: Finding,
  terms: {
    candidates: Candidates
    range: KeyRange
    most: number
    behind: Position | null
    limit: number
  },
): Promise<FoundAmong> {
  const { candidates, range, most, behind, limit } = terms
  const { organizationId } = finding
  const { recordsOf } = FIND[finding.engine]
  const conditions = [
    ...present(finding),
    ...between(finding, { behind, downTo: null }),
    ...conditionsOf(finding),
  ]
  // The rows are fetched again for those that are left: sorting whole rows takes longer.
  const rows = sql`select ${columnsOf(finding)} from ${recordsOf('chosen', organizationId)}`
  const { rows: answer } = await sql<FoundRecord & { candidates: number; lowest: number | null }>`
    with candidate (key) as materialized (${candidates(range, most)}),
    chosen (key) as materialized (
      select record.key from ${recordsOf('candidate', organizationId)}
      where ${all(conditions)}
      order by ${descending(finding)} limit ${limit}
    )
    select walked.*, found.*
    from (select count(*) as candidates, min(key) as lowest from candidate) as walked
    left join (${rows}) as found on true`.execute(db)
  const { candidates: count = 0, lowest = null } = answer[0] ?? {}
  const found = answer.filter(({ id }) => id !== null)
  return { found: inOrder(found, finding.wanted.order), candidates: count, lowest }
}

function held(finding: Finding): RawBuilder<boolean>[] {
  return [sql`record.organization_id = ${finding.organizationId}`, ...present(finding)]
}

function present({ wanted }: Finding): RawBuilder<boolean>[] {
  const there = sql<boolean>`record.removed_at is null`
  return wanted.matchedOnly ? [there, sql`record.matched = 1`] : [there]
}

function descending({ wanted }: Finding): RawBuilder<unknown> {
  const { column } = SORTINGS[wanted.order]
  return column === null ? sql`record.key desc` : sql`${column} desc, record.key desc`
}

function between({ wanted }: Finding, { behind, downTo }: Stretch): RawBuilder<boolean>[] {
  const { column } = SORTINGS[wanted.order]
  const place = column === null ? sql`record.key` : sql`(${column}, record.key)`
  const at = (position: Position) =>
    column === null ? sql`${position[0]}` : sql`(${sql.join(position)})`
  return [
    ...(behind === null ? [] : [sql<boolean>`${place} < ${at(behind)}`]),
    ...(downTo === null ? [] : [sql<boolean>`${place} >= ${at(downTo)}`]),
  ]
}

const COLUMNS = sql`
  record.key, record.id, record.platform, record.forum_id as "forumId", record.subforum,
  record.title, record.permalink, record.url, record.score, record.num_comments as "numComments",
  record.created_at as "createdAt", record.author, record.has_link as "hasLink", record.matched,
  record.intent, record.verification, record.first_seen_at as "firstSeenAt", record.snippet`

function columnsOf(finding: Finding): RawBuilder<unknown> {
  const { engine, organizationId, shownTerm } = finding
  const withTags = sql`${COLUMNS},
    case when record.matched = 1 then ${FIND[engine].tags(organizationId)} end as tags`
  return shownTerm === null
    ? withTags
    : sql`${withTags}, ${excerptOf(engine, shownTerm)} as excerpt`
}

/**
 * The part of the body around the term, behind its place in the body and whether the body ends with it.
 * It is the costly part: the body is looked through only where the snippet does not show the term,
 * and only once, because what has a limit of its own is not put in wherever it is named.
 */
function excerptOf(engine: EngineName, term: string): RawBuilder<string | null> {
  const { position } = FIND[engine]
  const inSnippet = sql`${position(sql`record.snippet`, term)} > 0`
  const isNoUse = term.includes(ELLIPSIS) ? sql`` : sql`or ${inSnippet}`
  const lowerBody = sql`substr(record.text, ${position(sql`record.text`, BORDER)} + 1)`
  // A letter that has more characters in lower case moves what is behind it: then take all.
  return sql`case when record.body = '' ${isNoUse} then null else (
    select start || ':' || case when length(record.body) < start + size then 1 else 0 end
      || ':' || substr(record.body, start, size)
    from (
      select case when moved = 0 and place > ${EXCERPT_BEFORE} then place - ${EXCERPT_BEFORE}
          else 1 end as start,
        case when moved = 0 then ${EXCERPT} else length(record.body) + 1 end as size
      from (
        select ${position(sql`lower_body`, term)} as place,
          case when length(record.body) = length(lower_body) then 0 else 1 end as moved
        from (select ${lowerBody} as lower_body limit 1) as folded limit 1
      ) as found
      where place > 0 limit 1
    ) as part
  ) end`
}
