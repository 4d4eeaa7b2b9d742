import { sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import { signsOf, wordsOf } from '../lib/words.ts'
import type { IndexedText, TextIndex } from './text-index.ts'

const INDEXES = ['record_text', 'record_sign', 'word_part']
/** About ten milliseconds, in which nobody else writes. */
const PAGES_A_STEP = 100

/** Which words a record has is kept by triggers, see the migration: here which words there are, and signs. */
export const sqliteTextIndex: TextIndex = {
  async put(trx, organizationId, texts) {
    if (texts.length === 0) return
    await putWords(trx, texts)
    await putSigns(trx, organizationId, texts)
  },

  async differing(trx, organizationId, texts) {
    if (texts.length === 0) return []
    const given = JSON.stringify(texts.map(({ key, text }) => [key, text]))
    const { rows } = await sql<{ key: number }>`
      select record.key
      from json_each(${given}) as given
      cross join record on record.key = given.value ->> 0
      where +record.organization_id = ${organizationId} and record.text <> given.value ->> 1
    `.execute(trx)
    const differing = new Set(rows.map(({ key }) => key))
    return texts.filter(({ key }) => differing.has(key))
  },

  /** A word that nobody uses any more finds nothing. */
  async remove() {},

  async tidy(db) {
    for (const index of INDEXES) {
      if (await mergedSome(db, index)) return true
    }
    return false
  },
}

/** Every look-up of a word is one in each part of an index: two parts are four times as fast as ten. */
function mergedSome(db: Db, index: string): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const before = await changesMade(trx)
    const table = sql.ref(index)
    await sql`insert into ${table} (${table}, rank) values ('merge', ${PAGES_A_STEP})`.execute(trx)
    // The command itself counts as one.
    return (await changesMade(trx)) - before > 1
  })
}

async function changesMade(trx: Trx): Promise<number> {
  const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(trx)
  return rows[0]?.count ?? 0
}

async function putWords(trx: Trx, texts: readonly IndexedText[]): Promise<void> {
  const words = new Set(texts.flatMap(({ text }) => wordsOf(text.toWellFormed())))
  await sql`
    insert into word (text)
    select value from json_each(${JSON.stringify([...words])})
    where not exists (select 1 from word where word.text = value)`.execute(trx)
}

async function putSigns(
  trx: Trx,
  organizationId: string,
  texts: readonly IndexedText[],
): Promise<void> {
  const signs = texts.map(({ key, text }) => [key, signsOf(text.toWellFormed()).join(' ')])
  await sql`
    insert into record_sign (rowid, text)
    select number * 18014398509481984 + (value ->> 0) as place, value ->> 1
    from text_partition cross join json_each(${JSON.stringify(signs)})
    where organization_id = ${organizationId}
    order by place`.execute(trx)
}
