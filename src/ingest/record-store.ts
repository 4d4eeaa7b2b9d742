// Owns the `record` table: one row per organization and post. Whoever adds to an organization's
// records holds its dataset first.

import { sql, type ExpressionBuilder } from 'kysely'
import type { EngineName, Trx } from '../db/database.ts'
import { ROWS, type ColumnType } from '../db/rows.ts'
import type { Tables } from '../db/tables.ts'
import { DATASET } from './dataset.ts'
import type { ChangingColumns } from './record-row.ts'

export type RecordRow = Tables['record']

/** Those whose key is taken are left out; returns the keys of the others. */
export async function insertRecords(trx: Trx, rows: readonly RecordRow[]): Promise<Set<number>> {
  if (rows.length === 0) return new Set()
  const inserted = await trx
    .insertInto('record')
    // In order: SQLite's text index writes itself to the file whenever a key is below the last.
    .values(rows.toSorted((a, b) => a.key - b.key))
    // Of anything else that could conflict the caller has made sure.
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .execute()
  return new Set(inserted.map(({ key }) => key))
}

const CHANGING: Record<keyof ChangingColumns, ColumnType> = {
  title: 'text',
  body: 'text',
  text: 'text',
  snippet: 'text',
  permalink: 'text',
  url: 'text',
  has_link: 'integer',
  has_image: 'integer',
  score: 'integer',
  num_comments: 'integer',
  author: 'text',
}

export type ChangedRow = ChangingColumns & { key: number }

/** Writes only what differs: most posts of a later crawl are as they were. */
export async function updateRecords(
  trx: Trx,
  { engine, organizationId }: { engine: EngineName; organizationId: string },
  rows: readonly ChangedRow[],
): Promise<void> {
  if (rows.length === 0) return
  const values = ROWS[engine](rows, { key: 'integer', ...CHANGING })
  await sql`
    update record
    set title = new.title, body = new.body, text = new.text, snippet = new.snippet, permalink = new.permalink,
      url = new.url, has_link = new.has_link, has_image = new.has_image, author = new.author, removed_at = null,
      score = coalesce(new.score, record.score),
      num_comments = coalesce(new.num_comments, record.num_comments)
    from ${values} as new
    where ${DATASET[engine].isOf(organizationId)} and record.key = new.key and (
      record.removed_at is not null
      or record.score <> coalesce(new.score, record.score)
      or record.num_comments <> coalesce(new.num_comments, record.num_comments)
      or record.title <> new.title or record.snippet <> new.snippet or record.body <> new.body or record.author <> new.author
      or record.permalink <> new.permalink or record.url is distinct from new.url
    )`.execute(trx)
}

/** Matched by a rule for the first time; a keyword match waits to be judged. */
export async function markMatched(
  trx: Trx,
  { organizationId, verification }: { organizationId: string; verification: 'clear' | 'pending' },
  keys: readonly number[],
): Promise<void> {
  if (keys.length === 0) return
  await trx
    .updateTable('record')
    .set(({ eb }) => ({
      matched: 1,
      verification: eb
        .case()
        .when('verification', '=', 'clear')
        .then(verification)
        .else(eb.ref('verification'))
        .end(),
    }))
    .where(among(organizationId, keys))
    .where((eb) => eb.or([eb('matched', '=', 0), eb('verification', '=', 'clear')]))
    .execute()
}

/** No rule matches it any more, so that there is nothing left to judge. */
export async function markUnmatched(
  trx: Trx,
  organizationId: string,
  keys: readonly number[],
): Promise<void> {
  if (keys.length === 0) return
  await trx
    .updateTable('record')
    .set({ matched: 0, verification: 'clear' })
    .where(among(organizationId, keys))
    .execute()
}

/** Still matched, but by no keyword: nothing is left that somebody could judge. */
export async function markNothingToJudge(
  trx: Trx,
  organizationId: string,
  keys: readonly number[],
): Promise<void> {
  if (keys.length === 0) return
  await trx
    .updateTable('record')
    .set({ verification: 'clear' })
    .where(among(organizationId, keys))
    .where('verification', '=', 'pending')
    .execute()
}

/** The platform took the post down: its text is purged, the fact is kept. */
export async function tombstone(
  trx: Trx,
  { organizationId, now }: { organizationId: string; now: number },
  keys: readonly number[],
): Promise<void> {
  if (keys.length === 0) return
  await trx
    .updateTable('record')
    .set({
      title: '',
      body: '',
      text: '',
      snippet: '',
      author: '',
      permalink: '',
      url: null,
      removed_at: now,
    })
    .set({ has_link: 0, has_image: 0, matched: 0, verification: 'clear' })
    .where(among(organizationId, keys))
    .where('removed_at', 'is', null)
    .execute()
}

export async function deleteRecords(
  trx: Trx,
  organizationId: string,
  keys: readonly number[],
): Promise<void> {
  if (keys.length === 0) return
  await trx.deleteFrom('record').where(among(organizationId, keys)).execute()
}

function among(organizationId: string, keys: readonly number[]) {
  return ({ eb, and }: ExpressionBuilder<Tables, 'record'>) =>
    and([eb('organization_id', '=', organizationId), eb('key', 'in', keys)])
}
