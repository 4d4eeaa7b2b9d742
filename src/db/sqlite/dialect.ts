// Kysely's view of SQLite in threads. A plain query goes to a reader, a plain write to the writer,
// and everything inside a transaction to the writer that the transaction holds.

import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { BoundedMap } from '../../lib/bounded-map.ts'
import type { KeptQuery } from '../database.ts'
import type { SQLInputValue } from 'node:sqlite'
import type { Statement, StatementResult } from './messages.ts'
import type { SqliteWriter } from './writer.ts'

export interface SqliteThreads {
  writer: SqliteWriter
  read(statement: Statement): Promise<StatementResult>
}

const RAW_READ = /^\s*(select|explain)\b/i
/** What begins with a table expression may read or write. */
const RAW_WITH = /^\s*with\b/i
const RAW_WRITE = /\b(insert|update|delete)\b/i

export function threadedSqliteDialect(threads: SqliteThreads): Dialect {
  return {
    createAdapter: () => new ThreadedAdapter(),
    createDriver: () => new ThreadedDriver(threads),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** One connection at a time would be right for a single SQLite handle; here readers run beside. */
class ThreadedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

class ThreadedDriver implements Driver {
  readonly #threads: SqliteThreads

  constructor(threads: SqliteThreads) {
    this.#threads = threads
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new ThreadedConnection(this.#threads)
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await asThreaded(connection).begin()
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await asThreaded(connection).commit()
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await asThreaded(connection).rollback()
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

class ThreadedConnection implements DatabaseConnection {
  readonly #threads: SqliteThreads
  #inTransaction = false

  constructor(threads: SqliteThreads) {
    this.#threads = threads
  }

  async begin(): Promise<void> {
    const { writer } = this.#threads
    await writer.acquire()
    try {
      await writer.run({ sql: 'begin immediate', parameters: [] })
      this.#inTransaction = true
    } catch (error) {
      writer.release()
      throw error
    }
  }

  /** A commit that fails leaves the transaction open: the writer is kept until the rollback. */
  async commit(): Promise<void> {
    await this.#threads.writer.run({ sql: 'commit', parameters: [] })
    this.#letGo()
  }

  /** SQLite may have rolled back by itself (a full disk): the writer is let go in any case. */
  async rollback(): Promise<void> {
    try {
      await this.#threads.writer.run({ sql: 'rollback', parameters: [] })
    } finally {
      this.#letGo()
    }
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { columns, rows, changes } = await this.#run(query)
    const shape = shapeOf(query.sql, columns)
    return {
      rows: rows.map((row) => asObject(shape, row) as Row),
      numAffectedRows: BigInt(changes),
    }
  }

  streamQuery(): never {
    throw new Error('SQLite is not streamed here: page through the rows by key.')
  }

  #run(compiled: CompiledQuery & Partial<KeptQuery>): Promise<StatementResult> {
    const { sql, parameters, query, keep = false } = compiled
    const { writer, read } = this.#threads
    const statement: Statement = { sql, parameters: parameters as SQLInputValue[], keep }
    if (this.#inTransaction) return writer.run(statement)
    const reads = query.kind === 'SelectQueryNode' || isRawRead(sql)
    return reads ? read(statement) : writer.write(statement)
  }

  #letGo(): void {
    this.#inTransaction = false
    this.#threads.writer.release()
  }
}

function isRawRead(sql: string): boolean {
  return RAW_READ.test(sql) || (RAW_WITH.test(sql) && !RAW_WRITE.test(sql))
}

/** A row with nothing in it yet: rows that begin as copies of one object are made in half the time. */
interface RowShape {
  columns: readonly string[]
  empty: Readonly<Record<string, unknown>>
}

const SHAPES_KEPT = 500
const shapes = new BoundedMap<string, RowShape>(SHAPES_KEPT)

function shapeOf(sql: string, columns: readonly string[]): RowShape {
  const known = shapes.get(sql)
  // A statement that asks for all columns may get others after a migration.
  if (known?.columns.length === columns.length) return known
  const shape = { columns, empty: Object.fromEntries(columns.map((column) => [column, null])) }
  shapes.set(sql, shape)
  return shape
}

function asObject({ columns, empty }: RowShape, row: readonly unknown[]): Record<string, unknown> {
  const object: Record<string, unknown> = { ...empty }
  for (let index = 0; index < columns.length; index += 1) {
    object[columns[index] as string] = row[index]
  }
  return object
}

function asThreaded(connection: DatabaseConnection): ThreadedConnection {
  if (connection instanceof ThreadedConnection) return connection
  throw new TypeError('Not a connection of this driver.')
}
