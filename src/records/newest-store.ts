import type { Db, KeptQuery } from '../db/database.ts'
import { FIND } from './find-engine.ts'
import type { Finding } from './finding.ts'
import { keptStatement, type Filling } from './kept-statements.ts'

export interface NewestTerms {
  /** Null begins with the newest. */
  belowKey: number | null
  limit: number
}

export interface NewestJson {
  /** The records as a JSON list; the engine's own bytes. */
  items: Uint8Array
  lastKey: number | null
  hasMore: number
}

/** Null when the engine makes no JSON. */
export async function newestJson(
  db: Db,
  { engine, organizationId, wanted: { includeSuppressed } }: Finding,
  { belowKey, limit }: NewestTerms,
): Promise<NewestJson | null> {
  const { jsonPage } = FIND[engine]
  if (jsonPage === null) return null
  const make = (blanks: Filling) =>
    jsonPage({
      organizationId: blanks.organizationId,
      belowKey: blanks.behind,
      limit: blanks.limit,
      includeSuppressed,
    })
  const filling = { organizationId, term: null, behind: belowKey, downTo: null, limit }
  const statement = keptStatement(db, `json ${engine} ${includeSuppressed}`, make, filling)
  const query: KeptQuery = { ...statement, keep: true }
  const { rows } = await db.executeQuery(query)
  const [page] = rows as NewestJson[]
  return page ?? null
}
