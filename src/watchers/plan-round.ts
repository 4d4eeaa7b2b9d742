import type { Watch } from './watch-store.ts'

export interface Plan {
  /** For whom this round is. */
  served: readonly Watch[]
  fromStart: boolean
  cursor: string | null
  /** Whether everybody is served, so that the channel's cursor may move. */
  everybody: boolean
}

/**
 * Whoever begins to watch a channel that others watch already gets a round of their own, from the
 * start; the others go on from the channel's cursor, and are not told of old posts again.
 */
export function planOf(watches: readonly Watch[], cursor: string | null): Plan {
  const beginning = watches.filter(({ startedAt }) => startedAt === null)
  const fromStart = beginning.length > 0
  const everybody = !fromStart || cursor === null || beginning.length === watches.length
  return { served: everybody ? watches : beginning, fromStart, cursor, everybody }
}
