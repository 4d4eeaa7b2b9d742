// Where the engines differ about finding: how a row is reached, and which records may contain a text.

import type { RawBuilder } from 'kysely'
import type { Db, EngineName } from '../db/database.ts'
import { postgresFind } from './find.postgres.ts'
import { sqliteFind } from './find.sqlite.ts'

/** Keys below one and not below the other; null is no bound. */
export interface KeyRange {
  below: number | null
  floor: number | null
}

/** `select key …`: the highest keys of a range, highest first. */
export type Candidates = (range: KeyRange, limit: number) => RawBuilder<{ key: number }>

export interface FindEngine {
  /** How many of the newest records are looked at before the text index is asked. */
  firstWalk: number
  /** How long short lists are looked through before the text index is asked. */
  textPatienceMs: number
  /** A table with a `key`, and the record of each, in whatever order. */
  recordsOf(table: string, organizationId: string): RawBuilder<unknown>
  /** Ends a subquery that is to be asked row by row, not joined. */
  rowByRow: RawBuilder<unknown>
  /** The place of a text in another, from 1 on; 0 when it is not there. */
  position(text: RawBuilder<unknown>, searched: string): RawBuilder<number>
  /** The tags of a record as JSON. */
  tags(organizationId: string): RawBuilder<string | null>
  /** A page of everything as JSON: `items`, `lastKey` and `hasMore`; null where rows are as fast. */
  jsonPage: ((terms: JsonPageTerms) => RawBuilder<unknown>) | null
  /** One column of a query as JSON. */
  asJson(column: RawBuilder<unknown>): RawBuilder<string | null>
  textIndex: TextIndex
}

/** See `text-candidates.ts`. A word is whatever text the engine knows it by. */
export interface TextIndex {
  /** Of these terms those that it is worth looking up. */
  worthwhile(db: Db, organizationId: string, terms: readonly string[]): Promise<readonly string[]>
  /** The words that have this in them; null when they are too many to be of use. */
  wordsWith(db: Db, organizationId: string, part: string): Promise<string[] | null>
  /** Records that have a word of each list. */
  havingWords(organizationId: string, lists: readonly (readonly string[])[]): Candidates
  /** Records that have all of these signs. */
  havingSigns(organizationId: string, signs: readonly string[]): Candidates
}

export interface JsonPageTerms {
  organizationId: string
  belowKey: number | null
  limit: number
  includeSuppressed: boolean
}

export const FIND: Record<EngineName, FindEngine> = {
  sqlite: sqliteFind,
  postgres: postgresFind,
}
