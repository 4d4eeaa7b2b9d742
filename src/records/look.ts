import type { Db } from '../db/database.ts'
import type { Position } from './position.ts'
import type { Finding } from './finding.ts'

/** What the ways of looking share. */
export interface Look {
  db: Db
  finding: Finding
  behind: Position | null
  /** One more than the page holds, to know whether it is the last. */
  most: number
  /** To be called between two statements. */
  hurry(): void
}
