import type { Watch } from './watch-store.ts'

export interface Plan {
  /** For whom this round is. */
  served: readonly Watch[]
  fromStart: boolean
  cursor: string | null
  /** Whether the channel's cursor may move: nobody who goes on from it was left out. */
  movesCursor: boolean
  /** Only for those who have begun to watch: the others have their round right after it. */
  isForBeginners: boolean
}

/**
 * Whoever begins to watch a channel that others watch already gets a round of their own, from the
 * start; the others go on from the channel's cursor, and are not told of old posts again. They take
 * turns, so that beginners who cannot be served hold up nobody.
 */
export function planOf(
  watches: readonly Watch[],
  { cursor, beginnersNext }: { cursor: string | null; beginnersNext: boolean },
): Plan {
  const beginning = watches.filter(({ startedAt }) => startedAt === null)
  const started = watches.filter(({ startedAt }) => startedAt !== null)
  if (beginning.length === 0) return goingOn(watches, cursor)
  if (cursor === null || started.length === 0) {
    return { ...goingOn(watches, cursor), fromStart: true }
  }
  if (!beginnersNext) return goingOn(started, cursor)
  const fromStart = { served: beginning, fromStart: true, cursor }
  return { ...fromStart, movesCursor: false, isForBeginners: true }
}

function goingOn(served: readonly Watch[], cursor: string | null): Plan {
  return { served, fromStart: false, cursor, movesCursor: true, isForBeginners: false }
}
