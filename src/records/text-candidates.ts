// Which records may contain a text, by the index of texts. It holds every three characters that follow
// each other, and a few of those are enough to leave out most records: the rarest few, because the
// lists of common ones are long.

import type { Db } from '../db/database.ts'
import { FIND, type Candidates } from './find-engine.ts'
import type { Finding } from './finding.ts'
import { countsOf } from './gram-store.ts'
import { spread } from './spread.ts'
import { gramsOfTerm } from './term-grams.ts'

const MOST_COUNTED = 24
const MOST_USED = 3

/** `none` when no record contains all the terms; null when the index cannot tell. */
export async function textCandidates(
  db: Db,
  finding: Finding,
): Promise<Candidates | 'none' | null> {
  const { engine, organizationId, wanted } = finding
  if (wanted.terms.length === 0) return null
  const grams = [...new Set(wanted.terms.flatMap(gramsOfTerm))]
  const short = wanted.terms.filter((term) => gramsOfTerm(term).length === 0)
  const rarest = await rarestOf(db, finding, spread(grams, MOST_COUNTED))
  return FIND[engine].textCandidates(db, organizationId, { grams: rarest, short })
}

async function rarestOf(db: Db, finding: Finding, grams: readonly string[]): Promise<string[]> {
  if (grams.length <= MOST_USED) return [...grams]
  const counts = await countsOf(db, finding, grams)
  const counted = grams.map((gram, index) => ({ gram, count: counts[index] ?? 0 }))
  // Of those that are not in the sample at all, any will do: they are taken from all over the text.
  const unseen = counted.filter(({ count }) => count === 0)
  if (unseen.length >= MOST_USED) return spread(unseen, MOST_USED).map(({ gram }) => gram)
  const sorted = counted.toSorted((a, b) => a.count - b.count)
  return sorted.slice(0, MOST_USED).map(({ gram }) => gram)
}
