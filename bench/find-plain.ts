// Each request as one query, as one would write it first on these tables: conditions joined by `and`,
// texts compared row by row, deep pages by offset. It is what find is compared with.

import { sql, type RawBuilder } from 'kysely'
import type { RecordQuery } from '../src/contract/list-records.ts'
import type { SearchBody } from '../src/contract/search.ts'
import type { Database, EngineName } from '../src/db/database.ts'

/** What both operations can be asked for, in one shape. */
export interface PlainRequest extends Partial<Omit<RecordQuery, 'cursor'>> {
  limit: number
  /** Where its excerpt comes from. */
  excerpt: 'snippet' | 'body'
  terms: readonly string[]
  without: readonly string[]
  offset: number
}

export function plainOfList(query: RecordQuery, offset: number): PlainRequest {
  return {
    ...query,
    excerpt: 'snippet',
    terms: query.keyword === undefined ? [] : [query.keyword],
    without: [],
    offset,
  }
}

export function plainOfSearch(body: SearchBody): PlainRequest {
  const { q, mode: _mode, include, exclude, ...filters } = body
  return { ...filters, excerpt: 'body', terms: [q, ...include], without: exclude, offset: 0 }
}

interface PlainRow {
  id: string
  title: string
  snippet?: string
  body?: string
  created_at: number
  has_link: number
  matched: number
  tags: string | null
}

const SNIPPET = 240

/** As the API tells it, with the beginning of the body where there is no snippet. */
export function plainItem(row: PlainRow) {
  const text = (row.snippet ?? row.body) || row.title
  return {
    ...row,
    snippet: text.replaceAll(/\s+/g, ' ').slice(0, SNIPPET),
    forumCreatedAt: new Date(row.created_at).toISOString(),
    hasLink: row.has_link === 1,
    matched: row.matched === 1,
    tags: typeof row.tags === 'string' ? JSON.parse(row.tags) : [],
  }
}

const SORTS = { firstSeenAt: 'first_seen_at', score: 'score', numComments: 'num_comments' } as const

export async function plainPage(
  { db, engine }: Database,
  organizationId: string,
  request: PlainRequest,
): Promise<PlainRow[]> {
  const conditions = [
    sql`organization_id = ${organizationId}`,
    sql`removed_at is null`,
    ...columnConditions(request),
    ...relationConditions(organizationId, request),
    ...request.terms.map((term) => holdsText(engine, term)),
    ...request.without.map((term) => sql`not ${holdsText(engine, term)}`),
  ]
  const { rows } = await sql<PlainRow>`
    select key, id, platform, forum_id, subforum, title, ${sql.ref(request.excerpt)}, permalink, url, score, num_comments,
      created_at, author, has_link, matched, intent, verification, ${tagsOf(engine)} as tags
    from record
    where ${sql.join(conditions, sql` and `)}
    order by ${orderOf(request)}
    limit ${request.limit + 1} offset ${request.offset}`.execute(db)
  return rows
}

/** That the text has a term in it, letter by letter. */
export function holdsText(engine: EngineName, term: string): RawBuilder<boolean> {
  const lower = term.toLowerCase()
  if (engine === 'sqlite') return sql`instr(text, ${lower}) > 0`
  return sql`text like ${`%${lower.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`
}

function columnConditions(request: PlainRequest): RawBuilder<unknown>[] {
  const { subforums = [], platforms = [], read, view, archived = false } = request
  const wanted: [boolean, RawBuilder<unknown>][] = [
    [subforums.length > 0, sql`channel in (${sql.join(subforums)})`],
    [platforms.length > 0, sql`platform in (${sql.join(platforms)})`],
    [request.min_score !== undefined, sql`score >= ${request.min_score}`],
    [request.min_comments !== undefined, sql`num_comments >= ${request.min_comments}`],
    [request.has_link === true, sql`has_link = 1`],
    [request.has_image === true, sql`has_image = 1`],
    [request.from !== undefined, sql`created_at >= ${request.from}`],
    [request.to !== undefined, sql`created_at <= ${request.to}`],
    [request.include_suppressed !== true, sql`verification <> 'coincidental'`],
    [view === 'matched', sql`matched = 1`],
    [view === 'matched', sql`archived = ${archived ? 1 : 0}`],
    [view === 'matched' && read !== undefined, sql`read = ${read === true ? 1 : 0}`],
  ]
  return wanted.filter(([isWanted]) => isWanted).map(([, condition]) => condition)
}

function relationConditions(organizationId: string, request: PlainRequest): RawBuilder<unknown>[] {
  const { tags = [], watcher_id: watcherId, view } = request
  const conditions: RawBuilder<unknown>[] = []
  if (tags.length > 0 && view !== 'all') {
    conditions.push(sql`matched = 1 and exists (
      select 1 from record_tag
      where organization_id = ${organizationId} and record_key = key and origin <> 'removed'
        and tag in (${sql.join(tags)}))`)
  }
  if (watcherId === undefined) return conditions
  const isMatch = sql`exists (
    select 1 from record_match
    where organization_id = ${organizationId} and record_key = key and watcher_id = ${watcherId})`
  if (view === 'matched') return [...conditions, isMatch]
  const isListed = sql`exists (
    select 1 from record_listing join watcher_channel using (organization_id, platform, channel)
    where organization_id = ${organizationId} and record_key = key and watcher_id = ${watcherId})`
  const isOwn = sql`(platform, channel) in (
    select platform, channel from watcher_channel
    where organization_id = ${organizationId} and watcher_id = ${watcherId})`
  return [...conditions, sql`(${isOwn} or ${isListed} or ${isMatch})`]
}

function tagsOf(engine: EngineName): RawBuilder<unknown> {
  const list = engine === 'sqlite' ? sql`json_group_array(tag)` : sql`json_agg(tag)`
  return sql`(
    select ${list} from record_tag
    where record_tag.organization_id = record.organization_id and record_key = record.key
      and origin <> 'removed')`
}

/** The key is the order of `created_at` and `id`, and the only one there is an index for. */
function orderOf({ view, sort = 'firstSeenAt' }: PlainRequest): RawBuilder<unknown> {
  return view === 'matched' ? sql`${sql.ref(SORTS[sort])} desc, key desc` : sql`key desc`
}
