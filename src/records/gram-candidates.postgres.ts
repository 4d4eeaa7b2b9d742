// Which records may contain a text, by the index of grams. It holds every three characters that follow
// each other, and a few of those are enough to leave out most records: the rarest few, because the
// lists of common ones are long.

import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { gramSeed, gramsOf } from '../lib/grams.ts'
import type { Candidates } from './find-engine.ts'
import type { Finding } from './finding.ts'
import { countsOf } from './gram-counts.postgres.ts'
import { spread } from './spread.ts'
import { gramsOfTerm } from './term-grams.ts'

const MOST_COUNTED = 24
const MOST_USED = 3
const BEYOND_KEYS = 2 ** 53

/** Null when the index cannot tell: terms of fewer than three characters have no gram. */
export async function gramCandidates(db: Db, finding: Finding): Promise<Candidates | null> {
  const { organizationId, wanted } = finding
  const grams = [...new Set(wanted.terms.flatMap(gramsOfTerm))]
  if (grams.length === 0) return null
  const rarest = await rarestOf(db, finding, spread(grams, MOST_COUNTED))
  const seed = gramSeed(organizationId)
  const numbers = rarest.flatMap((gram) => gramsOf(gram, seed))
  // Materialized, because with the order and limit inside it would rather walk than use the grams.
  return ({ below, floor }, limit) => sql`
    select key from (
      with hit as materialized (
        select record_key as key from record_gram
        where organization_id = ${organizationId} and grams @> ${numbers}::integer[]
      )
      select key from hit
      where key < ${below ?? BEYOND_KEYS} and key >= ${floor ?? -BEYOND_KEYS}
    ) as hits
    order by key desc limit ${limit}`
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
