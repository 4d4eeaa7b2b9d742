import type { Cursor } from './cursor.ts'
import type { Gap } from '../source.ts'
import type { Filled, Hole } from './fill-hole.ts'
import type { List } from './lists.ts'

/** Which ids of the list are to be fetched. Those that are pending are asked for besides. */
export function wantedIds(
  listed: readonly number[],
  { seen, pending }: Cursor,
  fromStart: boolean,
): number[] {
  const others = new Set(fromStart ? [] : seen)
  for (const { id } of pending) others.add(id)
  return listed.filter((id) => !others.has(id))
}

/**
 * A full list that shows nothing known any more has lost what came in between. `times` are those of
 * the listed items. Null when there is no hole, or nothing that would say where it begins.
 */
export function holeBefore(
  list: List,
  { seen, newestAt }: Cursor,
  { listed, times }: { listed: readonly number[]; times: readonly number[] },
): Hole | null {
  if (list.isRanking || newestAt === null || listed.length < list.capacity) return null
  const known = new Set(seen)
  if (listed.some((id) => known.has(id))) return null

  const oldestAt = Math.min(...times)
  return Number.isFinite(oldestAt) && oldestAt > newestAt
    ? { fromAt: newestAt, toAt: oldestAt }
    : null
}

/** At an interval of five minutes this is an hour of a search API that fails. */
const MOST_TRIES = 12

type KnownHole = Cursor['holes'][number]

/** What becomes of a hole that was not filled: it is tried again a while, then it is a gap. */
export function afterFilling(
  { tries }: KnownHole,
  { rest }: Pick<Filled, 'rest'>,
): { hole: KnownHole | null; gap: Gap | null } {
  if (rest === null) return { hole: null, gap: null }
  const { fromAt, toAt, reason, isForGood } = rest
  if (isForGood || tries + 1 >= MOST_TRIES) return { hole: null, gap: { fromAt, toAt, reason } }
  return { hole: { fromAt, toAt, tries: tries + 1 }, gap: null }
}
