// What a failed query means, whichever engine it failed on.

import { QueryTimeoutError } from './query-timeout.ts'
import { SqliteError, ThreadEndedError } from './sqlite/thread.ts'

const SQLITE_CONSTRAINT_PRIMARYKEY = 1555
const SQLITE_CONSTRAINT_UNIQUE = 2067
const POSTGRES_UNIQUE_VIOLATION = '23505'
const POSTGRES_QUERY_CANCELED = '57014'

/**
 * What SQLSTATE says when the server is not there for us: connection, no such database, resources,
 * not in a state to, shutdown.
 */
const POSTGRES_OUTAGE = /^(08|3D|53|55000|57P0)/
const NETWORK_OUTAGE = /^(ECONN|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE)/

/** The pool's and the client's own words for a connection that could not be had or kept. */
const POSTGRES_CLIENT_OUTAGE =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|timeout expired/

export function isUniqueViolation(error: unknown): boolean {
  if (error instanceof SqliteError) {
    return (
      error.errcode === SQLITE_CONSTRAINT_UNIQUE || error.errcode === SQLITE_CONSTRAINT_PRIMARYKEY
    )
  }
  return codeOf(error) === POSTGRES_UNIQUE_VIOLATION
}

/** Whether the database could not be reached: worth trying again soon, and no bug of ours. */
export function isOutage(error: unknown): boolean {
  if (error instanceof ThreadEndedError) return true
  if (!(error instanceof Error) || error instanceof SqliteError) return false
  if (error instanceof AggregateError) return error.errors.some(isOutage)
  const code = codeOf(error)
  return (
    POSTGRES_OUTAGE.test(code) ||
    NETWORK_OUTAGE.test(code) ||
    POSTGRES_CLIENT_OUTAGE.test(error.message)
  )
}

/** Whether a query was stopped because it took too long: there is a database, but it has much to do. */
export function isTimeout(error: unknown): boolean {
  return error instanceof QueryTimeoutError || codeOf(error) === POSTGRES_QUERY_CANCELED
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
