// Which records may contain a text, by its words, as on SQLite; only that words are numbers here.

import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db/database.ts'
import { gramsOfPart, numberOf, pieceOf, seedOf } from '../lib/numbers.ts'
import type { Candidates } from './find-engine.ts'
import type { Finding } from './finding.ts'
import { tellingParts, tellingSigns } from './telling-parts.ts'

/** What is in more words than this is common: walking finds it. */
const MOST_WORDS = 500
const BEYOND_KEYS = 2 ** 53

/** `none` when no record contains all the terms; null when the index cannot tell. */
export async function wordCandidates(
  db: Db,
  { organizationId, wanted }: Finding,
): Promise<Candidates | 'none' | null> {
  const parts = tellingParts(wanted.terms).map(pieceOf)
  const lists = await Promise.all(parts.map((part) => wordsWith(db, organizationId, part)))
  if (lists.some((words) => words?.length === 0)) return 'none'

  const words = lists.flatMap((numbers) =>
    numbers === null ? [] : [sql<boolean>`words && ${numbers}::integer[]`],
  )
  if (words.length > 0) return matching(organizationId, words)
  const seed = seedOf(organizationId)
  const signs = tellingSigns(wanted.terms).map((sign) => numberOf(sign, seed))
  return signs.length > 0 ? matching(organizationId, [sql`words @> ${signs}::integer[]`]) : null
}

/** Materialized, because with the order and limit inside it would rather walk than use the words. */
function matching(organizationId: string, conditions: readonly RawBuilder<boolean>[]): Candidates {
  return ({ below, floor }, limit) => sql`
    select key from (
      with hit as materialized (
        select record_key as key from record_word
        where organization_id = ${organizationId} and ${sql.join(conditions, sql` and `)}
      )
      select key from hit
      where key < ${below ?? BEYOND_KEYS} and key >= ${floor ?? -BEYOND_KEYS}
    ) as hits
    order by key desc limit ${limit}`
}

/** Null when they are too many to be of use. */
async function wordsWith(db: Db, organizationId: string, part: string): Promise<number[] | null> {
  const grams = gramsOfPart(part, seedOf(organizationId))
  const { rows } = await sql<{ number: number }>`
    with likely as materialized (
      select number, text from word
      where organization_id = ${organizationId} and grams @> ${grams}::integer[]
    )
    select number from likely where strpos(text, ${part}) > 0
    limit ${MOST_WORDS + 1}`.execute(db)
  return rows.length > MOST_WORDS ? null : rows.map(({ number }) => number)
}
