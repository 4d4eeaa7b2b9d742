// The index that literal search uses: which words there are, and which of them each record has. It is read
// by `records/text-index.*.ts`.

import type { Db, EngineName, Trx } from '../db/database.ts'
import { postgresTextIndex } from './text-index.postgres.ts'
import { sqliteTextIndex } from './text-index.sqlite.ts'

export interface IndexedText {
  key: number
  text: string
}

export interface TextIndex {
  /** Takes in the texts of records that were just added, or whose text was just changed. */
  put(trx: Trx, organizationId: string, texts: readonly IndexedText[]): Promise<void>
  /** Those that are not what is stored. */
  differing(trx: Trx, organizationId: string, texts: readonly IndexedText[]): Promise<IndexedText[]>
  remove(trx: Trx, organizationId: string, keys: readonly number[]): Promise<void>
  /** One small step of putting together what was added in parts; false when all is. */
  tidy(db: Db): Promise<boolean>
}

export const TEXT_INDEX: Record<EngineName, TextIndex> = {
  sqlite: sqliteTextIndex,
  postgres: postgresTextIndex,
}
