import type { Db } from '../db/database.ts'
import { QueryTimeoutError } from '../db/query-timeout.ts'
import { findNewest } from './find-newest.ts'
import { findSorted } from './find-sorted.ts'
import { foundAlong } from './find-store.ts'
import type { Finding } from './finding.ts'
import type { FoundRecord } from './found-record.ts'
import type { Look } from './look.ts'
import { isEverything } from './plain-finding.ts'
import { positionOf, type Position } from './position.ts'
import { contradictsItself } from './wanted.ts'

export interface PageTerms {
  limit: number
  behind: Position | null
  /** How long it may take altogether. */
  timeoutMs: number
}

export interface FoundPage {
  records: FoundRecord[]
  /** Where the next page begins; null when this is the last. */
  next: Position | null
}

export async function findPage(
  db: Db,
  finding: Finding,
  { limit, behind, timeoutMs }: PageTerms,
): Promise<FoundPage> {
  const look: Look = { db, finding, behind, most: limit + 1, hurry: hurryFor(timeoutMs) }
  const found = await lookFor(look)
  const records = found.slice(0, limit)
  const last = records.at(-1)
  const isLast = found.length <= limit || last === undefined
  return { records, next: isLast ? null : positionOf(last, finding.wanted.order) }
}

function lookFor(look: Look): Promise<FoundRecord[]> {
  const { db, finding, behind, most } = look
  if (contradictsItself(finding.wanted)) return Promise.resolve([])
  if (finding.wanted.order !== 'newest') return findSorted(look)
  const everything = { stretch: { behind, downTo: null }, within: null, limit: most }
  if (isEverything(finding)) return foundAlong(db, finding, everything)
  return findNewest(look)
}

function hurryFor(timeoutMs: number): () => void {
  const deadline = performance.now() + timeoutMs
  return () => {
    if (performance.now() > deadline) throw new QueryTimeoutError('the search took too long')
  }
}
