// Newest first. The lists of the channels, tags or watcher that are named are looked at first, then the
// newest records, a bounded number of them, which is all that a common wish needs, then the text index.
// Whichever gets further in its time goes on, in growing steps, until the page is full or nothing is left.

import { firstKeyAt } from '../db/record-key.ts'
import type { Position } from './position.ts'
import { channelCandidates, tagCandidates, watcherCandidates } from './candidate-store.ts'
import { afterStep, GROWTH, nextEffort, NO_EFFORT, stepSize, type Effort } from './effort.ts'
import { FIND, type Candidates } from './find-engine.ts'
import { firstWalkOf, type FirstWalk } from './first-walk.ts'
import { foundAlong, foundAmong, placeAfter } from './find-store.ts'
import type { FoundRecord } from './found-record.ts'
import type { Look } from './look.ts'
import { textCandidates } from './text-candidates.ts'

/** Keys of later milliseconds may be of an earlier one that had too many posts. */
const SPILL_MS = 60_000
const LAST_POST_AT = Date.UTC(2089, 0, 1)

/** Rows are tried on the index alone, or fetched one by one: so many take about ten milliseconds. */
const WALK = { most: 50_000 }
const LIST = { first: 100, most: 4_000 }

interface Range {
  below: number | null
  floor: number | null
}

interface Step {
  found: FoundRecord[]
  /** Where it began, when it was not told. */
  from?: number | null
  /** Everything down to this key was looked at; null is everything. */
  reached: number | null
}

interface Way {
  effort: Effort
  /** Of records that have much in common, and not of a text. */
  isShortList: boolean
  step(range: Range, limit: number): Promise<Step>
}

export async function findNewest(look: Look): Promise<FoundRecord[]> {
  const { finding, behind, most, hurry } = look
  const { fromAt, toAt } = finding.wanted
  const range = {
    below: behind?.[0] ?? (toAt === null ? null : keyNear(toAt + SPILL_MS)),
    floor: fromAt === null ? null : keyNear(fromAt),
  }
  const found: FoundRecord[] = []
  const ways = waysOf(look)
  for (let way = await ways.next(0); way !== null; way = await ways.next(found.length)) {
    hurry()
    const begunAt = performance.now()
    const { found: some, from, reached } = await way.step(range, most - found.length)
    found.push(...some)
    if (found.length >= most || reached === null) break
    const distance = (range.below ?? from ?? reached) - reached
    way.effort = afterStep(way.effort, distance, performance.now() - begunAt)
    range.below = reached
  }
  return found
}

/** Null when the text index says that there is nothing to be found. */
function waysOf(look: Look): { next(found: number): Promise<Way | null> } {
  const walk = walking(look)
  const narrow = narrowWays(look)
  const ways = [...narrow, walk]
  const patience = narrow.length > 0 ? FIND[look.finding.engine].textPatienceMs : 0
  const textFrom = performance.now() + patience
  let textIsAsked = false
  return {
    async next(found) {
      // What a first walk found a tenth of, a second one finds half of, if not the rest.
      if (walk.effort.steps === 1 && found * (1 + GROWTH) * 2 >= look.most) return walk
      const isTimeForText = performance.now() >= textFrom
      if (!textIsAsked && isTimeForText && ways.every(({ effort }) => effort.steps > 0)) {
        textIsAsked = true
        const text = await textWay(look)
        if (text === 'none') return null
        if (text !== null) ways.push(text)
      }
      return nextEffort(ways)
    },
  }
}

/** Of the times that posts can have: other numbers are no keys. */
function keyNear(time: number): number {
  return firstKeyAt(Math.min(Math.max(time, 0), LAST_POST_AT))
}

function walking({ db, finding }: Look): Way {
  const sizes = { first: FIND[finding.engine].firstWalk, ...WALK }
  let begun: FirstWalk | null = null
  const way: Way = {
    effort: NO_EFFORT,
    isShortList: false,
    async step({ below, floor }, limit) {
      const behind = below === null ? null : [below]
      const distance = stepSize(way.effort, sizes)
      if (below === null && way.effort.steps === 0) begun = await firstWalkOf(db, finding)
      const known = endKnownFrom(below, begun)
      const place = known ?? (await placeAfter(db, finding, { behind, distance }))
      const reached = reachedBy(place, floor)
      const downTo = reached ?? floor
      const stretch = { behind, downTo: downTo === null ? null : [downTo] }
      const found = await foundAlong(db, finding, { stretch, within: null, limit })
      return { found, from: begun?.newestKey ?? null, reached }
    },
  }
  return way
}

function endKnownFrom(below: number | null, begun: FirstWalk | null): Position | null {
  if (below === null) return begun?.end ?? null
  return below === begun?.end?.[0] ? begun.secondEnd : null
}

/** Null when that is the end, or beyond what is asked for. */
function reachedBy(place: Position | null, floor: number | null): number | null {
  const key = place?.[0] ?? null
  return key === null || (floor !== null && key < floor) ? null : key
}

function narrowWays(look: Look): Way[] {
  const { finding } = look
  const lists = [tagCandidates, channelCandidates, watcherCandidates]
  return lists.flatMap((listOf) => {
    const candidates = listOf(finding)
    return candidates === null ? [] : [listing(look, candidates, true)]
  })
}

async function textWay(look: Look): Promise<Way | 'none' | null> {
  const candidates = await textCandidates(look.db, look.finding)
  return typeof candidates === 'function' ? listing(look, candidates, false) : candidates
}

function listing({ db, finding }: Look, candidates: Candidates, isShortList: boolean): Way {
  const way: Way = {
    effort: NO_EFFORT,
    isShortList,
    async step(range, limit) {
      const most = stepSize(way.effort, LIST)
      const terms = { candidates, range, most, behind: null, limit }
      const { found, candidates: count, lowest } = await foundAmong(db, finding, terms)
      return { found, reached: count < most ? null : lowest }
    },
  }
  return way
}
