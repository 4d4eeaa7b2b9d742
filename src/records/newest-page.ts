// A page of everything, newest first: nothing is asked of a record, but perhaps that it is not
// suppressed.

import type { Db } from '../db/database.ts'
import type { Position } from './cursor.ts'
import { FIND } from './find-engine.ts'
import type { PageTerms } from './find-page.ts'
import type { Finding } from './finding.ts'
import { newestJson } from './newest-store.ts'

export function isEverything({ wanted, watch, shownTerm }: Finding): boolean {
  const { includeSuppressed: _whether, order, ...filters } = wanted
  const asksNothing = Object.values(filters).every(
    (filter) => filter === null || filter === false || isEmpty(filter),
  )
  return asksNothing && order === 'newest' && watch === null && shownTerm === null
}

function isEmpty(filter: unknown): boolean {
  return Array.isArray(filter) && filter.length === 0
}

export interface JsonPage {
  /** The records, as a JSON list. */
  items: Uint8Array
  next: Position | null
}

/** Whether the engine makes the JSON of such a page itself. */
export function makesJson(finding: Finding): boolean {
  return FIND[finding.engine].jsonPage !== null && isEverything(finding)
}

/** Null when the engine makes no JSON. */
export async function jsonPage(
  db: Db,
  finding: Finding,
  { limit, behind }: PageTerms,
): Promise<JsonPage | null> {
  const page = await newestJson(db, finding, { belowKey: behind?.[0] ?? null, limit })
  if (page === null) return null
  const { items, lastKey, hasMore } = page
  return { items, next: hasMore === 1 && lastKey !== null ? [lastKey] : null }
}
