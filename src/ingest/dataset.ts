// Where the engines differ about an organization's records: how to be the only one who adds to them,
// how a list of ids is best looked up, and among which records a key must be unique.

import type { RawBuilder } from 'kysely'
import type { EngineName, Trx } from '../db/database.ts'
import { sqliteDataset } from './dataset.sqlite.ts'
import { postgresDataset } from './dataset.postgres.ts'

/** Keys from `first` up to, but not including, `past`. */
interface Slot {
  first: number
  past: number
}

interface PlatformPlace {
  organizationId: string
  platform: string
}

export interface KnownRecord {
  key: number
  forumId: string
  channel: string
  matched: number
  removedAt: number | null
}

export interface Dataset {
  /** Until the transaction ends, nobody else adds or changes records of this organization. */
  hold(trx: Trx, organizationId: string): Promise<void>
  /** Those of the posts that the organization has. */
  known(trx: Trx, place: PlatformPlace, forumIds: readonly string[]): Promise<KnownRecord[]>
  /** That a row of `record` is the organization's, so written that its key is used to find it. */
  isOf(organizationId: string): RawBuilder<boolean>
  /** The highest key taken in each slot, by its first key. */
  takenKeys(
    trx: Trx,
    organizationId: string,
    slots: readonly Slot[],
  ): Promise<Map<number, number | null>>
}

export const DATASET: Record<EngineName, Dataset> = {
  sqlite: sqliteDataset,
  postgres: postgresDataset,
}
