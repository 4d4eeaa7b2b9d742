// In another order than that of the keys, lists and the text index are of use only as a whole: when
// they are short enough to be sorted. Otherwise the matched records are looked through in their order.

import type { Db } from '../db/database.ts'
import { tagCandidates, watcherCandidates, channelCandidates } from './candidate-store.ts'
import type { Position } from './position.ts'
import { stepSize } from './effort.ts'
import type { Finding } from './finding.ts'
import { foundAlong, foundAmong, placeAfter } from './find-store.ts'
import type { FoundRecord } from './found-record.ts'
import type { Look } from './look.ts'
import { textCandidates } from './text-candidates.ts'

const WALK = { first: 100, most: 50_000 }
const MOST_SORTED = 4_000

export async function findSorted(look: Look): Promise<FoundRecord[]> {
  const { db, finding, most, hurry } = look
  const { first } = WALK
  const stretch = { behind: look.behind, downTo: null }
  const found = await foundAlong(db, finding, { stretch, within: first, limit: most })
  if (found.length >= most) return found

  let behind = await placeAfter(db, finding, { behind: look.behind, distance: first })
  if (behind === null) return found
  const sorted = await sortedFrom({ ...look, behind, most: most - found.length })
  if (sorted !== null) return [...found, ...sorted]

  for (let steps = 1; behind !== null && found.length < most; steps += 1) {
    hurry()
    const distance = stepSize({ steps }, WALK)
    const downTo: Position | null = await placeAfter(db, finding, { behind, distance })
    const limit = most - found.length
    const walked = { stretch: { behind, downTo }, within: null, limit }
    found.push(...(await foundAlong(db, finding, walked)))
    behind = downTo
  }
  return found
}

const LISTS = [
  tagCandidates,
  watcherCandidates,
  channelCandidates,
  (finding: Finding, db: Db) => textCandidates(db, finding),
]

/** Everything that is left, from the shortest list there is; null when all are too long. */
async function sortedFrom(look: Look): Promise<FoundRecord[] | null> {
  const { db, finding, behind, most, hurry } = look
  for (const listOf of LISTS) {
    hurry()
    const candidates = await listOf(finding, db)
    if (candidates === 'none') return []
    if (candidates === null) continue
    const range = { below: null, floor: null }
    const terms = { candidates, range, most: MOST_SORTED, behind, limit: most }
    const answer = await foundAmong(db, finding, terms)
    if (answer.candidates < MOST_SORTED) return answer.found
  }
  return null
}
