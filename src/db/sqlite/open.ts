import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Kysely } from 'kysely'
import type { Database, PoolFigures } from '../database.ts'
import { readMigrations } from '../migrations.ts'
import type { Tables } from '../tables.ts'
import { threadedSqliteDialect } from './dialect.ts'
import type { Statement } from './messages.ts'
import { SqliteThread } from './thread.ts'
import { SqliteWriter } from './writer.ts'

export interface SqliteOptions {
  path: string
  readers: number
}

export interface SqliteDatabase extends Database {
  /** Writes a consistent, compact copy of the whole database to a file that must not exist. */
  snapshot(path: string): Promise<void>
}

export async function openSqlite({ path, readers }: SqliteOptions): Promise<SqliteDatabase> {
  await mkdir(dirname(path), { recursive: true })
  const writing = new SqliteThread({ path, readOnly: false })
  // A reader opens the file read-only, which needs the writer to have made it.
  await writing.call({ kind: 'statement', statement: { sql: 'select 1', parameters: [] } })
  const reading = Array.from({ length: readers }, () => new SqliteThread({ path, readOnly: true }))
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
