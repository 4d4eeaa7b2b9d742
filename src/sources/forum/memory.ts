// What a fetch remembers of those before it: the newest posts seen. Several, because any of them may
// be deleted; as many as a page holds, so that a page tells what is new on it.

import { PAGE_SIZE } from './page.ts'
import type { Seen } from './submission.ts'

export interface Known {
  id: string
  at: number
}

/** Newest first. */
export type Memory = readonly Known[]

export function newestOf(memory: Memory): Known | null {
  return memory[0] ?? null
}

/** Adds what was seen. */
export function remember(memory: Memory, seen: readonly Seen[]): Memory {
  const known = new Map(memory.map((one) => [one.id, one]))
  for (const { id, createdAt } of seen) known.set(id, { id, at: createdAt })
  return [...known.values()].toSorted(byNewest).slice(0, PAGE_SIZE)
}

/**
 * Adds what was seen from the top of the listing down, and forgets what should have been there and
 * was not: a deleted post is no place to go on from.
 */
export function rememberTop(memory: Memory, seen: readonly Seen[]): Memory {
  const oldestAt = oldestOf(seen)
  if (oldestAt === null) return memory
  return remember(
    memory.filter(({ at }) => at < oldestAt),
    seen,
  )
}

/** Whether it was not there before. A full memory cannot tell of what is older than all it holds. */
export function isNew({ id, createdAt }: Seen, memory: Memory): boolean {
  if (memory.some((known) => known.id === id)) return false
  const oldest = memory.at(-1)
  return memory.length < PAGE_SIZE || oldest === undefined || createdAt >= oldest.at
}

export function oldestOf(seen: readonly Seen[]): number | null {
  return seen.length === 0 ? null : Math.min(...seen.map(({ createdAt }) => createdAt))
}

/** Ids count upwards in base 36, so of two posts of one second the one with the higher id is newer. */
function byNewest(a: Known, b: Known): number {
  if (a.at !== b.at) return b.at - a.at
  if (a.id.length !== b.id.length) return b.id.length - a.id.length
  return a.id < b.id ? 1 : -1
}
