// What people decide about records: whether they were read, whether they are put away, and the tags
// that people give. Keys travel as one parameter, whatever their number, and lead to the rows: an
// organization's records are never gone through for them.

import { sql } from 'kysely'
import type { EngineName, Trx } from '../db/database.ts'
import { ROWS } from '../db/rows.ts'
import { DATASET } from './dataset.ts'

export interface DatasetPlace {
  engine: EngineName
  organizationId: string
}

export interface FoundRecord {
  id: string
  key: number
  matched: number
}

/** What the organization has under these keys, without what its platform took down. */
export async function findRecords(
  trx: Trx,
  { engine, organizationId }: DatasetPlace,
  keys: readonly number[],
): Promise<FoundRecord[]> {
  const { rows } = await sql<FoundRecord>`
    select record.id, record.key, record.matched
    from ${keyRows(engine, keys)} as wanted, record
    where ${DATASET[engine].isOf(organizationId)} and record.key = wanted.key
      and record.removed_at is null`.execute(trx)
  return rows
}

interface Marks {
  /** Undefined leaves a record as it is. */
  read?: boolean | undefined
  archived?: boolean | undefined
}

/** Writes only what differs: these columns are in several indexes. */
export async function setMarks(
  trx: Trx,
  { engine, organizationId }: DatasetPlace,
  { keys, ...marks }: Marks & { keys: readonly number[] },
): Promise<void> {
  const read = sql`coalesce(${flagOf(marks.read)}, record.read)`
  const archived = sql`coalesce(${flagOf(marks.archived)}, record.archived)`
  await sql`
    update record set read = ${read}, archived = ${archived}
    from ${keyRows(engine, keys)} as wanted
    where ${DATASET[engine].isOf(organizationId)} and record.key = wanted.key
      and (record.read <> ${read} or record.archived <> ${archived})`.execute(trx)
}

interface TagChange {
  keys: readonly number[]
  tags: readonly string[]
}

/** A tag that a rule gave becomes the person's: what a person gave, no rule takes away. */
export async function insertPersonTags(
  trx: Trx,
  { engine, organizationId }: DatasetPlace,
  { keys, tags }: TagChange,
): Promise<void> {
  await sql`
    insert into record_tag (organization_id, record_key, tag, origin)
    select ${organizationId}, record.key, given.tag, 'person'
    from ${keyRows(engine, keys)} as record cross join ${tagRows(engine, tags)} as given
    where true
    on conflict (organization_id, record_key, tag) do update set origin = excluded.origin
    where record_tag.origin <> excluded.origin`.execute(trx)
}

/** Whoever gave them. That is remembered, so that no rule gives one again. */
export async function removeTags(
  trx: Trx,
  { engine, organizationId }: DatasetPlace,
  { keys, tags }: TagChange,
): Promise<void> {
  await sql`
    update record_tag set origin = 'removed'
    where organization_id = ${organizationId}
      and record_key in (select key from ${keyRows(engine, keys)} as wanted)
      and tag in (select tag from ${tagRows(engine, tags)} as given)`.execute(trx)
}

function flagOf(mark: boolean | undefined): number | null {
  return mark === undefined ? null : Number(mark)
}

function keyRows(engine: EngineName, keys: readonly number[]) {
  return ROWS[engine](
    keys.map((key) => ({ key })),
    { key: 'integer' },
  )
}

function tagRows(engine: EngineName, tags: readonly string[]) {
  return ROWS[engine](
    tags.map((tag) => ({ tag })),
    { tag: 'text' },
  )
}
