// How far the first walk of a finding goes. Where that is changes with every record that comes in, and
// does not matter much: it decides how long a first look takes, not what is found. So a place that was
// good a moment ago is good enough.

import type { Db } from '../db/database.ts'
import { BoundedMap } from '../lib/bounded-map.ts'
import type { Position } from './cursor.ts'
import { FIND } from './find-engine.ts'
import { placeAfter } from './find-store.ts'
import type { Finding } from './finding.ts'

/** So short that no import can bring many records in the meantime. */
const GOOD_FOR_MS = 2_000
const PLACES_KEPT = 1_000

const places = new BoundedMap<string, { place: Position | null; foundAt: number }>(PLACES_KEPT)

/** Null when it goes to the end. */
export async function endOfFirstWalk(db: Db, finding: Finding): Promise<Position | null> {
  const { engine, organizationId, wanted } = finding
  const name = `${organizationId} ${wanted.matchedOnly}`
  const known = places.get(name)
  if (known !== undefined && performance.now() - known.foundAt < GOOD_FOR_MS) return known.place

  const distance = FIND[engine].firstWalk
  const place = await placeAfter(db, finding, { behind: null, distance })
  // The end may be anywhere a moment later.
  if (place !== null) places.set(name, { place, foundAt: performance.now() })
  return place
}
