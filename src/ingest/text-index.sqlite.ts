import { sql } from 'kysely'
import { wordsOf } from '../lib/words.ts'
import type { TextIndex } from './text-index.ts'

/** Which words a record has is kept by triggers, see the migration; here it is kept what words there are. */
export const sqliteTextIndex: TextIndex = {
  async put(trx, _organizationId, texts) {
    const words = new Set(texts.flatMap(({ text }) => wordsOf(text.toWellFormed())))
    if (words.size === 0) return
    await sql`
      insert into word (text)
      select value from json_each(${JSON.stringify([...words])})
      where not exists (select 1 from word where word.text = value)`.execute(trx)
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
}
