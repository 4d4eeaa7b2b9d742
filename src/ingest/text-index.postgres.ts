import { sql } from 'kysely'
import type { Trx } from '../db/database.ts'
import { gramsOfPiece, numberOf, piecesOf, seedOf } from '../lib/numbers.ts'
import { signsOf, wordsOf } from '../lib/words.ts'
import type { TextIndex } from './text-index.ts'

export const postgresTextIndex: TextIndex = {
  async put(trx, organizationId, texts) {
    if (texts.length === 0) return
    const seed = seedOf(organizationId)
    const numbers = new Map<string, number>()
    const records = texts.map(({ key, text }) => {
      const pieces = [...new Set(wordsOf(text))].flatMap(piecesOf)
      for (const piece of pieces) numbers.set(piece, numbers.get(piece) ?? numberOf(piece, seed))
      const signs = signsOf(text).map((sign) => numberOf(sign, seed))
      const words = new Set([...pieces.map((piece) => numbers.get(piece) ?? 0), ...signs])
      return { key, words: `{${[...words].join(',')}}` }
    })
    await putWords(trx, organizationId, numbers)
    await sql`
      insert into record_word (organization_id, record_key, words)
      select ${organizationId}, given.key, given.words::integer[]
      from unnest(
        ${records.map(({ key }) => key)}::bigint[], ${records.map(({ words }) => words)}::text[]
      ) as given (key, words)
      on conflict (organization_id, record_key) do update set words = excluded.words`.execute(trx)
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
      delete from record_word
      where organization_id = ${organizationId} and record_key = any(${keys}::bigint[])`.execute(
      trx,
    )
  },

  /** PostgreSQL does it by itself. */
  async tidy() {
    return false
  },
}

/** Those that the organization does not have yet. */
async function putWords(
  trx: Trx,
  organizationId: string,
  numbers: ReadonlyMap<string, number>,
): Promise<void> {
  const { rows } = await sql<{ text: string; number: number }>`
    select given.text, given.number
    from unnest(${[...numbers.keys()]}::text[], ${[...numbers.values()]}::integer[])
      as given (text, number)
    where not exists (
      select 1 from word
      where word.organization_id = ${organizationId} and word.number = given.number
        and word.text = given.text
      offset 0
    )`.execute(trx)
  if (rows.length === 0) return
  const seed = seedOf(organizationId)
  const grams = rows.map(({ text }) => `{${gramsOfPiece(text, seed).join(',')}}`)
  await sql`
    insert into word (organization_id, number, text, grams)
    select ${organizationId}, given.number, given.text, given.grams::integer[]
    from unnest(
      ${rows.map(({ number }) => number)}::integer[], ${rows.map(({ text }) => text)}::text[],
      ${grams}::text[]
    ) as given (number, text, grams)
    on conflict do nothing`.execute(trx)
}
