// A page of everything, newest first, in the bytes of its JSON.

import type { Db } from '../db/database.ts'
import type { Position } from './position.ts'
import { FIND } from './find-engine.ts'
import type { PageTerms } from './find-page.ts'
import type { Finding } from './finding.ts'
import { newestJson } from './newest-store.ts'
import { isEverything } from './plain-finding.ts'

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
