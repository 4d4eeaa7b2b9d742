// What a fetch remembers for the next one: a cursor is JSON that only this source reads.

import { z } from 'zod'
import { parsedJson } from '../../lib/json.ts'
import type { Outcome } from './fetch-items.ts'

const Cursor = z.object({
  /** Most recently listed first. */
  seen: z.array(z.int()),
  /** When the newest post of the list was made. */
  newestAt: z.int().nullable(),
  /** Listed, but not to be had yet; `tries` is how often each was asked for in vain. */
  pending: z.array(z.object({ id: z.int(), tries: z.int() })),
  /** Spans that have left the list unread, and could not be read elsewhere yet. */
  holes: z.array(z.object({ fromAt: z.int(), toAt: z.int(), tries: z.int() })).default([]),
  validators: z
    .object({ etag: z.string().optional(), lastModified: z.string().optional() })
    .nullable(),
})
export type Cursor = z.infer<typeof Cursor>

/** Four times the longest list: a story that leaves a ranking and comes back is still known. */
const MOST_SEEN = 2_000
const MOST_PENDING = 1_000
/** A post is null for a moment after it was listed; one that stays null was never published. */
const MOST_ROUNDS_ABSENT = 5

const NOTHING_KNOWN: Cursor = {
  seen: [],
  newestAt: null,
  pending: [],
  holes: [],
  validators: null,
}

/** A cursor that cannot be read is one of another release: the list is read from its start. */
export function readCursor(text: string | null): Cursor {
  if (text === null) return NOTHING_KNOWN
  const parsed = Cursor.safeParse(parsedJson(text))
  return parsed.success ? parsed.data : NOTHING_KNOWN
}

export function nextCursor(
  known: Cursor,
  { listed, outcomes }: { listed: readonly number[]; outcomes: readonly Outcome[] },
): Omit<Cursor, 'validators' | 'holes'> {
  return {
    seen: [...new Set([...listed, ...known.seen])].slice(0, MOST_SEEN),
    newestAt: newestAt(known.newestAt, outcomes),
    pending: stillPending(known.pending, outcomes),
  }
}

function newestAt(before: number | null, outcomes: readonly Outcome[]): number | null {
  const times = timesOf(outcomes)
  if (before !== null) times.push(before)
  return times.length === 0 ? null : Math.max(...times)
}

/** When the items were made, in no order. Removed ones count too. */
export function timesOf(outcomes: readonly Outcome[]): number[] {
  return outcomes.flatMap((outcome) =>
    outcome.kind === 'read' && outcome.item.time !== undefined ? [outcome.item.time * 1_000] : [],
  )
}

function stillPending(before: Cursor['pending'], outcomes: readonly Outcome[]): Cursor['pending'] {
  const pending = new Map(before.map(({ id, tries }) => [id, tries]))
  for (const { id, kind } of outcomes) {
    const tries = (pending.get(id) ?? 0) + 1
    pending.delete(id)
    if (kind === 'failed' || (kind === 'absent' && tries <= MOST_ROUNDS_ABSENT)) {
      pending.set(id, tries)
    }
  }
  return [...pending]
    .map(([id, tries]) => ({ id, tries }))
    .sort((one, other) => other.id - one.id)
    .slice(0, MOST_PENDING)
}
