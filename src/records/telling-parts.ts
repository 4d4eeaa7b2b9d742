// Which parts of the terms are looked up in the text index.

import { signsOf, wordPartsOf } from '../lib/words.ts'
import { spread } from './spread.ts'

/** More leave out little more, and each costs a look-up. */
const MOST_PARTS = 4

/** Long ones are rare. */
export function tellingParts(terms: readonly string[]): string[] {
  const parts = new Set(terms.flatMap(wordPartsOf))
  return [...parts].toSorted((a, b) => b.length - a.length).slice(0, MOST_PARTS)
}

/** With their neighbours, where there are any. */
export function tellingSigns(terms: readonly string[]): string[] {
  const signs = terms.flatMap((term) => {
    const all = signsOf(term)
    const pairs = all.filter((sign) => sign.length > 1)
    return pairs.length > 0 ? pairs : all
  })
  return spread(signs, MOST_PARTS)
}
