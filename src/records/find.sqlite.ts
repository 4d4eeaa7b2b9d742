import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { FindEngine } from './find-engine.ts'
import { sqliteJsonPage } from './json-page.sqlite.ts'
import { tagsOf } from './tags.sqlite.ts'

/** What begins with this many different grams is common: walking finds it. */
const MOST_BEGINNINGS = 300
const BEYOND_KEYS = 2 ** 53

export const sqliteFind: FindEngine = {
  firstWalk: 1_000,
  // Without statistics the planner would choose by the number of columns.
  along: (index) => sql`record indexed by ${sql.ref(index)}`,
  recordsOf: (table, organizationId) =>
    sql`${sql.ref(table)} cross join record
      on record.key = ${sql.ref(`${table}.key`)} and +record.organization_id = ${organizationId}`,
  rowByRow: sql``,
  position: (text, searched) => sql`instr(${text}, ${searched})`,
  tags: tagsOf,
  jsonPage: sqliteJsonPage,
  asJson: (column) => sql`json_group_array(${column})`,

  async textCandidates(db, organizationId, { grams, short }) {
    const conditions = grams.map(quoted)
    for (const term of short) {
      const beginnings = await gramsBeginningWith(db, term)
      if (beginnings.length === 0) return 'none'
      if (beginnings.length <= MOST_BEGINNINGS) {
        conditions.push(`(${beginnings.map(quoted).join(' OR ')})`)
      }
    }
    if (conditions.length === 0) return null

    const match = conditions.join(' AND ')
    const base = sql`(
      select number * 18014398509481984 from text_partition
      where organization_id = ${organizationId}
    )`
    return ({ below, floor }, limit) => sql`
      select rowid - ${base} as key from record_text
      where record_text match ${match}
        and rowid < ${base} + cast(${below ?? BEYOND_KEYS} as integer)
        and rowid >= ${base} + cast(${floor ?? -BEYOND_KEYS} as integer)
      order by rowid desc limit ${limit}`
  },
}

/**
 * The index has only whole grams, of all organizations: one search for each, from the last one on.
 * One more than is of use, to tell that there are too many.
 */
async function gramsBeginningWith(db: Db, beginning: string): Promise<string[]> {
  const next = (from: unknown) => sql`(
    select term from record_text_term where term >= ${from} limit 1
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

function quoted(gram: string): string {
  return `"${gram.replaceAll('"', '""')}"`
}
