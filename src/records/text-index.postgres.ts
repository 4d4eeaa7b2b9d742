import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db/database.ts'
import { BEYOND_KEYS } from '../db/record-key.ts'
import { gramsOfPart, numberOf, pieceOf, seedOf } from '../lib/numbers.ts'
import type { Candidates, TextIndex } from './find-engine.ts'

/** What is in more words than this is common: walking finds it. */
const MOST_WORDS = 500

const SAMPLE = 300
const COMMON_IN_SAMPLE = 3

/** Words are numbers here. */
export const postgresTextIndex: TextIndex = {
  worthwhile,
  wordsWith,
  havingWords: (organizationId, lists) =>
    matching(
      organizationId,
      lists.map((numbers) => sql`words && ${unseen(numbers)}`),
    ),
  havingSigns(organizationId, signs) {
    const seed = seedOf(organizationId)
    const numbers = signs.map((sign) => numberOf(sign, seed))
    return matching(organizationId, [sql`words @> ${unseen(numbers)}`])
  },
}

/**
 * What the planner does not see beforehand: of hundreds of words it would expect so much that it compares
 * them with every record instead of asking the index, which takes seconds.
 */
function unseen(numbers: readonly (string | number)[]): RawBuilder<unknown> {
  return sql`(select ${numbers}::integer[])`
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

/**
 * The index gives everything it has, in no order: what every hundredth text contains takes it longer than
 * to walk. A sample of the newest tells.
 */
async function worthwhile(
  db: Db,
  organizationId: string,
  terms: readonly string[],
): Promise<readonly string[]> {
  const counts = terms.map(
    (term, index) =>
      sql`sum(case when strpos(text, ${term}) > 0 then 1 else 0 end) as ${sql.ref(`c${index}`)}`,
  )
  const { rows } = await sql<Record<string, number | null>>`
    select ${sql.join(counts)} from (
      select text from record
      where organization_id = ${organizationId} and removed_at is null
      order by key desc limit ${SAMPLE}
    ) as sample`.execute(db)
  return terms.filter((_, index) => Number(rows[0]?.[`c${index}`] ?? 0) < COMMON_IN_SAMPLE)
}

/** Null when they are too many to be of use. */
async function wordsWith(db: Db, organizationId: string, given: string): Promise<string[] | null> {
  const part = pieceOf(given)
  const grams = gramsOfPart(part, seedOf(organizationId))
  const { rows } = await sql<{ number: string }>`
    with likely as materialized (
      select number, text from word
      where organization_id = ${organizationId} and grams @> ${unseen(grams)}
    )
    select number::text from likely where strpos(text, ${part}) > 0
    limit ${MOST_WORDS + 1}`.execute(db)
  return rows.length > MOST_WORDS ? null : rows.map(({ number }) => number)
}
