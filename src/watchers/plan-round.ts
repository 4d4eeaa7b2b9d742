import type { Watch } from './watch-store.ts'

export interface Plan {
  /** For whom this round is. */
  served: readonly Watch[]
  fromStart: boolean
  cursor: string | null
  /** Whether the channel's cursor may move: nobody who goes on from it was left out. */
  movesCursor: boolean
  /** Whether those left out are to have their round right after this one. */
  othersWait: boolean
}

/**
 * Whoever begins to watch a channel that others watch already gets a round of their own, from the
 * start; the others go on from the channel's cursor, and are not told of old posts again. When the
 * last round failed the others go first, so that beginners who cannot be served hold up nobody.
 */
export function planOf(
  watches: readonly Watch[],
  { cursor, failures }: { cursor: string | null; failures: number },
): Plan {
  const beginning = watches.filter(({ startedAt }) => startedAt === null)
  const started = watches.filter(({ startedAt }) => startedAt !== null)
  if (beginning.length === 0) return together(watches, { cursor, fromStart: false })
  if (cursor === null || started.length === 0) return together(watches, { cursor, fromStart: true })
  return failures % 2 === 1
    ? together(started, { cursor, fromStart: false })
    : { served: beginning, fromStart: true, cursor, movesCursor: false, othersWait: true }
}

function together(
  served: readonly Watch[],
  { cursor, fromStart }: { cursor: string | null; fromStart: boolean },
): Plan {
  return { served, fromStart, cursor, movesCursor: true, othersWait: false }
}
