// Which records may contain a text, by its words: first the words that contain it, of all there are, then
// the records that have one of them. Nearly all of those do contain it. Where the words do not tell
// much, its signs may: “c++” is in few texts, and ends with “c” what many do.

import type { Db } from '../db/database.ts'
import { signsOf, wordPartsOf } from '../lib/words.ts'
import { FIND, type Candidates } from './find-engine.ts'
import type { Finding } from './finding.ts'
import { spread } from './spread.ts'

/** More leave out little more, and each costs a look-up. */
const MOST_PARTS = 4

/** `none` when no record contains all the terms; null when the index cannot tell. */
export async function textCandidates(
  db: Db,
  { engine, organizationId, wanted }: Finding,
): Promise<Candidates | 'none' | null> {
  if (wanted.terms.length === 0) return null
  const { worthwhile, wordsWith, havingWords, havingSigns } = FIND[engine].textIndex
  const terms = await worthwhile(db, organizationId, wanted.terms)
  const parts = tellingParts(terms)
  const lists = await Promise.all(parts.map((part) => wordsWith(db, organizationId, part)))
  if (lists.some((words) => words?.length === 0)) return 'none'

  const words = lists.filter((list) => list !== null)
  if (words.length > 0) return havingWords(organizationId, words)
  const signs = tellingSigns(terms)
  return signs.length > 0 ? havingSigns(organizationId, signs) : null
}

/** Long ones are rare. */
function tellingParts(terms: readonly string[]): string[] {
  const parts = new Set(terms.flatMap(wordPartsOf))
  return [...parts].toSorted((a, b) => b.length - a.length).slice(0, MOST_PARTS)
}

/** With their neighbours, where there are any. */
function tellingSigns(terms: readonly string[]): string[] {
  const signs = terms.flatMap((term) => {
    const all = signsOf(term)
    const pairs = all.filter((sign) => sign.length > 1)
    return pairs.length > 0 ? pairs : all
  })
  return spread(signs, MOST_PARTS)
}
