// In another order than that of the keys, lists and the text index are of use only as a whole: when
// they are short enough to be sorted. Otherwise the matched records are looked through in their order.

import type { Db } from '../db/database.ts'
import { tagCandidates, watcherCandidates, channelCandidates } from './candidate-store.ts'
import { NO_EFFORT, afterStep, stepSize } from './effort.ts'
import type { Finding } from './finding.ts'
import { foundAlong, foundAmong, placeAfter } from './find-store.ts'
import type { FoundRecord } from './found-record.ts'
import type { Look } from './look.ts'
import { textCandidates } from './text-candidates.ts'

const WALK = { first: 500, most: 50_000 }
const MOST_SORTED = 4_000

export async function findSorted(look: Look): Promise<FoundRecord[]> {
  const { db, finding, most, hurry } = look
  const found: FoundRecord[] = []
  let { behind } = look
  let effort = NO_EFFORT
  for (;;) {
    hurry()
    const distance = stepSize(effort, WALK)
    const downTo = await placeAfter(db, finding, { behind, distance })
    const stretch = { behind, downTo }
    found.push(...(await foundAlong(db, finding, { stretch, limit: most - found.length })))
    if (found.length >= most || downTo === null) return found
    behind = downTo
    if (effort.steps === 0) {
      const rest = await sortedFrom({ ...look, behind, most: most - found.length })
      if (rest !== null) return [...found, ...rest]
    }
    effort = afterStep(effort, 0, 0)
  }
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
