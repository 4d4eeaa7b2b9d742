// How far the first walk of a finding goes, and the second. Where that is changes with every record that
// comes in, and does not matter much: it decides how long a first look takes, not what is found. So a
// place that was good a moment ago is good enough.

import type { Db } from '../db/database.ts'
import { BoundedMap } from '../lib/bounded-map.ts'
import type { Position } from './position.ts'
import { GROWTH } from './effort.ts'
import { FIND } from './find-engine.ts'
import { placeAfter } from './find-store.ts'
import type { Finding } from './finding.ts'

/** So short that no import can bring many records in the meantime. */
const GOOD_FOR_MS = 2_000
const PLACES_KEPT = 1_000

export interface FirstWalk {
  /** The newest key there is. Each is null where there is none. */
  newestKey: number | null
  end: Position | null
  secondEnd: Position | null
}

const walks = new BoundedMap<string, FirstWalk & { foundAt: number }>(PLACES_KEPT)

export async function firstWalkOf(db: Db, finding: Finding): Promise<FirstWalk> {
  const { engine, organizationId, wanted } = finding
  const name = `${organizationId} ${wanted.matchedOnly}`
  const known = walks.get(name)
  if (known !== undefined && performance.now() - known.foundAt < GOOD_FOR_MS) return known

  const { firstWalk } = FIND[engine]
  const [newest, end, secondEnd] = await Promise.all(
    [1, firstWalk, firstWalk * (1 + GROWTH)].map((distance) =>
      placeAfter(db, finding, { behind: null, distance }),
    ),
  )
  const walk = { newestKey: newest?.[0] ?? null, end: end ?? null, secondEnd: secondEnd ?? null }
  // Where there is no end yet, there may be a moment later.
  if (walk.end !== null) walks.set(name, { ...walk, foundAt: performance.now() })
  return walk
}
