// Which matches of a watcher would come, go or stay if other rules were applied to what is stored.

import type { PostMatch } from './kept-post.ts'
import type { MatchRow } from './match-store.ts'

export interface MatchChanges {
  added: MatchRow[]
  /** There before and there again; what is told of them may differ. */
  kept: MatchRow[]
  dropped: MatchRow[]
}

export function matchChanges(
  before: readonly MatchRow[],
  after: ReadonlyMap<number, PostMatch>,
): MatchChanges {
  const had = new Set(before.map(({ recordKey }) => recordKey))
  const rows = [...after].map(([recordKey, match]) => ({ ...match, recordKey }))
  return {
    added: rows.filter(({ recordKey }) => !had.has(recordKey)),
    kept: rows.filter(({ recordKey }) => had.has(recordKey)),
    dropped: before.filter(({ recordKey }) => !after.has(recordKey)),
  }
}

/** The tags that nothing gives a record any more, after a watcher's matches were dropped or changed. */
export function orphanedTags(
  before: readonly MatchRow[],
  remaining: readonly MatchRow[],
): { recordKey: number; tag: string }[] {
  const given = new Set(
    remaining.flatMap(({ recordKey, tags }) => tags.map((tag) => `${recordKey} ${tag}`)),
  )
  return before.flatMap(({ recordKey, tags }) =>
    tags.filter((tag) => !given.has(`${recordKey} ${tag}`)).map((tag) => ({ recordKey, tag })),
  )
}
