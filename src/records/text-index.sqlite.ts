import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { BEYOND_KEYS } from '../db/record-key.ts'
import type { Candidates, TextIndex } from './find-engine.ts'
import { spread } from './spread.ts'
import { gramsOfTerm } from './term-grams.ts'

const MOST_GRAMS = 12
/** What begins this many different grams, or is in this many words, is common: walking finds it. */
const MOST_BEGINNINGS = 300
const MOST_WORDS = 500
const MOST_CHARACTERS = 50_000

export const sqliteTextIndex: TextIndex = {
  // It gives the newest first and stops when it has enough: also of what is common.
  worthwhile: async (_db, _organizationId, terms) => terms,
  wordsWith,
  havingWords: (organizationId, lists) => matching('record_text', organizationId, lists.map(anyOf)),
  havingSigns: (organizationId, signs) =>
    matching('record_sign', organizationId, signs.map(quoted)),
}

/** Of all organizations; null when they are too many to be of use. */
async function wordsWith(db: Db, _organizationId: string, part: string): Promise<string[] | null> {
  const grams = spread(gramsOfTerm(part), MOST_GRAMS)
  const beginnings = grams.length === 0 ? await gramsBeginningWith(db, part) : []
  if (beginnings.length > MOST_BEGINNINGS) return null
  if (grams.length + beginnings.length === 0) return []

  const match = grams.length === 0 ? anyOf(beginnings) : grams.map(quoted).join(' AND ')
  const { rows } = await sql<{ text: string }>`
    select word.text from word_part cross join word on word.id = word_part.rowid
    where word_part match ${match} and instr(' ' || word.text || ' ', ${part}) > 0
    limit ${MOST_WORDS + 1}`.execute(db)
  const length = rows.reduce((sum, { text }) => sum + text.length, 0)
  const isTooMuch = rows.length > MOST_WORDS || length > MOST_CHARACTERS
  return isTooMuch ? null : rows.map(({ text }) => text)
}

/**
 * The index has only whole grams: one search for each, from the last one on. One more than is of use,
 * to tell that there are too many.
 */
async function gramsBeginningWith(db: Db, beginning: string): Promise<string[]> {
  const next = (from: unknown) => sql`(
    select term from word_part_term where term >= ${from} limit 1
  )`
  const begins = sql`substr(gram.term, 1, ${Array.from(beginning).length}) = ${beginning}`
  const { rows } = await sql<{ term: string }>`
    with recursive gram (term, number) as (
      select ${next(beginning)}, 1
      union all
      select ${next(sql`gram.term || char(1)`)}, number + 1
      from gram
      where number <= ${MOST_BEGINNINGS} and ${begins}
    )
    select term from gram where ${begins}`.execute(db)
  return rows.map(({ term }) => term)
}

function matching(
  index: 'record_text' | 'record_sign',
  organizationId: string,
  conditions: readonly string[],
): Candidates {
  const table = sql.ref(index)
  const base = sql`(
    select number * 18014398509481984 from text_partition
    where organization_id = ${organizationId}
  )`
  return ({ below, floor }, limit) => sql`
    select rowid - ${base} as key from ${table}
    where ${table} match ${conditions.join(' AND ')}
      and rowid < ${base} + cast(${below ?? BEYOND_KEYS} as integer)
      and rowid >= ${base} + cast(${floor ?? -BEYOND_KEYS} as integer)
    order by rowid desc limit ${limit}`
}

function anyOf(words: readonly string[]): string {
  return `(${words.map(quoted).join(' OR ')})`
}

function quoted(word: string): string {
  return `"${word.replaceAll('"', '""')}"`
}
