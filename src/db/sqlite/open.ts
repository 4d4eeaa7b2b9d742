import { open } from 'node:fs/promises'
import { Kysely } from 'kysely'
import { OperatorError } from '../../errors.ts'
import type { Database, PoolFigures } from '../database.ts'
import { readMigrations } from '../migrations.ts'
import type { Tables } from '../tables.ts'
import { threadedSqliteDialect } from './dialect.ts'
import type { Statement } from './messages.ts'
import { SqliteThread } from './thread.ts'
import { SqliteWriter } from './writer.ts'

const OWNER_ONLY = 0o600

export interface SqliteOptions {
  path: string
  readers: number
  /** How long a read may take, the waiting for its thread included; 0 lets reads take their time. */
  queryTimeoutMs?: number
}

export interface SqliteDatabase extends Database {
  /** Writes a consistent, compact copy of the whole database to a file that must not exist. */
  snapshot(path: string): Promise<void>
}

export async function openSqlite({
  path,
  readers,
  queryTimeoutMs = 0,
}: SqliteOptions): Promise<SqliteDatabase> {
  const writing = await openWriter(path)
  const reading = Array.from(
    { length: readers },
    () => new SqliteThread({ path, readOnly: true }, queryTimeoutMs),
  )
  const writer = new SqliteWriter(writing)

  const read = (statement: Statement) =>
    leastLoaded(reading).call<never>({ kind: 'statement', statement })

  return {
    engine: 'sqlite',
    location: path,
    db: new Kysely<Tables>({ dialect: threadedSqliteDialect({ writer, read }) }),
    async migrate(now) {
      const migrations = await readMigrations('sqlite')
      return writing.call({ kind: 'migrate', migrations, now })
    },
    async snapshot(target) {
      await leastLoaded(reading).call({ kind: 'snapshot', path: target })
    },
    poolFigures: () => figuresOf([writing, ...reading], writer.waiting),
    async [Symbol.asyncDispose]() {
      // The writer last: closing the last connection folds the write-ahead log into the file.
      await Promise.all(reading.map((thread) => thread[Symbol.asyncDispose]()))
      await writing[Symbol.asyncDispose]()
    },
  }
}

/** Readers open the file read-only, which needs a writer that has made it a database. */
async function openWriter(path: string): Promise<SqliteThread> {
  // What SQLite makes, its log included, has the mode of this file.
  await using _file = await open(path, 'a', OWNER_ONLY)
  const thread = new SqliteThread({ path, readOnly: false })
  const statement = { sql: 'select count(*) from sqlite_master', parameters: [] }
  await thread.call({ kind: 'statement', statement }).catch(async (error: Error) => {
    await thread[Symbol.asyncDispose]()
    throw new OperatorError(
      `The database ${path} cannot be opened (${error.message}). ` +
        'Restore a backup with `earshot restore FILE`, or move the file away to begin anew.',
    )
  })
  return thread
}

function leastLoaded(threads: readonly SqliteThread[]): SqliteThread {
  const [first, ...others] = threads
  if (first === undefined) throw new Error('SQLite needs at least one reader.')
  return others.reduce((best, thread) => (thread.load < best.load ? thread : best), first)
}

function figuresOf(threads: readonly SqliteThread[], waitingWrites: number): PoolFigures {
  const busy = threads.filter(({ load }) => load > 0).length
  const queued = threads.reduce((sum, { load }) => sum + Math.max(0, load - 1), 0)
  return { connections: threads.length, busy, waiting: queued + waitingWrites }
}
