// The far side of a SQLite connection: node:sqlite is synchronous, so each connection lives in a
// thread of its own and never blocks the event loop that answers requests.

import { parentPort, workerData } from 'node:worker_threads'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { OperatorError } from '../../errors.ts'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { KeptAnswers } from './kept-answers.ts'
import { migrateSqlite } from './migrate.ts'
import {
  UP,
  type Envelope,
  type Failure,
  type Reply,
  type Request,
  type Settled,
  type Statement,
  type StatementResult,
  type ThreadOptions,
} from './messages.ts'

const BUSY_TIMEOUT_MS = 10_000
const STATEMENTS_KEPT = 500
/** The most that SQLite maps. */
const MAPPED_BYTES = 0x7fff_0000
const CACHE_KIB = 32_768
/** SQLite prepares a statement anew for every value of a limit, unless it is an expression. */
const BOUND_LIMIT = /\b(limit|offset) \?/g

interface Prepared {
  statement: StatementSync
  /** None when it returns no rows. */
  columns: string[]
}

const database = open(workerData as ThreadOptions)
const prepared = new BoundedMap<string, Prepared>(STATEMENTS_KEPT)
// What the writer writes itself is not counted, so that only readers can keep anything.
const kept = (workerData as ThreadOptions).readOnly ? new KeptAnswers(database) : null

const LATE: Failure = { message: 'too late', errcode: undefined, operator: false, late: true }

parentPort?.on('message', ({ id, request, answerBy }: Envelope) => {
  // A thread that is behind catches up by leaving out what nobody waits for any more.
  const isLate = answerBy !== null && Date.now() > answerBy
  const outcome = isLate ? { ok: false as const, failure: LATE } : settle(() => answer(request))
  parentPort?.postMessage({ id, outcome } satisfies Reply)
})
parentPort?.postMessage({ id: UP, outcome: { ok: true, result: null } } satisfies Reply)

function open({ path, readOnly }: ThreadOptions): DatabaseSync {
  const connection = new DatabaseSync(path, { readOnly, timeout: BUSY_TIMEOUT_MS })
  // FULL: a commit that was acknowledged survives a power cut, not only a crash of this program.
  connection.exec('pragma synchronous = full; pragma foreign_keys = on; pragma temp_store = memory')
  if (!readOnly) connection.exec('pragma journal_mode = wal')
  // Readers read pages where the system has them, without a call and a copy for each.
  else connection.exec(`pragma mmap_size = ${MAPPED_BYTES}; pragma cache_size = -${CACHE_KIB}`)
  return connection
}

function answer(request: Request): unknown {
  switch (request.kind) {
    case 'statement':
      return runOrRemember(request.statement)
    case 'group':
      return runGroup(request.statements)
    case 'migrate':
      return migrateSqlite(database, request.migrations, request.now)
    case 'snapshot':
      return database.prepare('vacuum into ?').run(request.path).changes
    case 'close':
      return database.close()
  }
}

function runOrRemember(statement: Statement): StatementResult {
  if (!statement.keep || kept === null) return run(statement)
  return kept.answer(statement, () => run(statement))
}

function run({ sql, parameters }: Statement): StatementResult {
  const { statement, columns } = prepare(sql)
  if (columns.length === 0) {
    return { columns, rows: [], changes: Number(statement.run(...parameters).changes) }
  }
  // As it was told to, which its type does not know.
  const rows = statement.all(...parameters) as unknown as unknown[][]
  return { columns, rows, changes: rows.length }
}

/**
 * Independent writes that arrived together share one transaction and so one sync to disk. Each has
 * a savepoint: one that fails takes only itself back.
 */
function runGroup(statements: readonly Statement[]): Settled<StatementResult>[] {
  database.exec('begin immediate')
  try {
    const outcomes = statements.map((statement) => settle(() => runInSavepoint(statement)))
    database.exec('commit')
    return outcomes
  } catch (error) {
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
}

function runInSavepoint(statement: Statement): StatementResult {
  database.exec('savepoint one')
  try {
    return run(statement)
  } catch (error) {
    database.exec('rollback to one')
    throw error
  } finally {
    database.exec('release one')
  }
}

function prepare(sql: string): Prepared {
  const known = prepared.get(sql)
  if (known !== undefined) return known

  const statement = database.prepare(sql.replaceAll(BOUND_LIMIT, '$1 +?'))
  statement.setReturnArrays(true)
  const columns = statement.columns().map(({ name }) => name)
  // What is written to the text index has numbers that no other number is as large as.
  if (columns.length === 0) statement.setReadBigInts(true)
  const fresh = { statement, columns }
  prepared.set(sql, fresh)
  return fresh
}

function settle<Result>(work: () => Result): Settled<Result> {
  try {
    return { ok: true, result: work() }
  } catch (error) {
    return { ok: false, failure: failureOf(error) }
  }
}

function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error)
  const errcode =
    error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
      ? error.errcode
      : undefined
  return { message, errcode, operator: error instanceof OperatorError }
}
