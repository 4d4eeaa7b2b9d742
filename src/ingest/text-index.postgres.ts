import { sql } from 'kysely'
import { gramSeed, gramsOfText } from '../lib/grams.ts'
import type { TextIndex } from './text-index.ts'

export const postgresTextIndex: TextIndex = {
  async put(trx, organizationId, texts) {
    if (texts.length === 0) return
    const seed = gramSeed(organizationId)
    const keys = texts.map(({ key }) => key)
    const grams = texts.map(({ text }) => `{${gramsOfText(text, seed).join(',')}}`)
    await sql`
      insert into record_gram (organization_id, record_key, grams)
      select ${organizationId}, given.key, given.grams::integer[]
      from unnest(${keys}::bigint[], ${grams}::text[]) as given (key, grams)
      on conflict (organization_id, record_key) do update set grams = excluded.grams`.execute(trx)
  },

  async differing(trx, organizationId, texts) {
    if (texts.length === 0) return []
    const keys = texts.map(({ key }) => key)
    const { rows } = await sql<{ key: number }>`
      select given.key
      from unnest(${keys}::bigint[], ${texts.map(({ text }) => text)}::text[]) as given (key, text)
      cross join lateral (
        select text from record
        where organization_id = ${organizationId} and key = given.key
        limit 1
      ) as stored
      where stored.text <> given.text`.execute(trx)
    const differing = new Set(rows.map(({ key }) => key))
    return texts.filter(({ key }) => differing.has(key))
  },

  async remove(trx, organizationId, keys) {
    if (keys.length === 0) return
    await sql`
      delete from record_gram
      where organization_id = ${organizationId} and record_key = any(${keys}::bigint[])`.execute(
      trx,
    )
  },

  /** PostgreSQL does it by itself. */
  async tidy() {
    return false
  },
}
