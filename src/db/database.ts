// The one interface to both engines. Only this folder and the files named `*.sqlite.ts` and
// `*.postgres.ts` know which engine they run on.

import type { CompiledQuery, Kysely, Transaction } from 'kysely'
import type { Tables } from './tables.ts'

/** Where queries run: the database itself, or the transaction one is inside of. */
export type Db = Kysely<Tables>
export type Trx = Transaction<Tables>

/** A query that is asked often and the same: an engine may keep its answer until something is written. */
export type KeptQuery = CompiledQuery & { keep: true }

export type EngineName = 'sqlite' | 'postgres'

/** How busy the engine's connections are. */
export interface PoolFigures {
  connections: number
  busy: number
  waiting: number
}

export interface Database extends AsyncDisposable {
  readonly engine: EngineName
  readonly db: Db
  /** Where the data is, without any password: for messages to the operator. */
  readonly location: string
  /** Applies the migrations that are due, under a lock, and says how many there were. */
  migrate(now: number): Promise<number>
  poolFigures(): PoolFigures
}
