// What the main thread and a database thread say to each other. One call is one message, however
// many statements or rows it carries.

import type { SQLInputValue } from 'node:sqlite'
import type { Migration } from '../migrations.ts'

export interface ThreadOptions {
  path: string
  readOnly: boolean
}

export interface Statement {
  sql: string
  parameters: readonly SQLInputValue[]
  /** Asked often and the same: a reader may keep its answer until something is written. */
  keep?: boolean
}

export type Request =
  | { kind: 'statement'; statement: Statement }
  | { kind: 'group'; statements: Statement[] }
  | { kind: 'migrate'; migrations: Migration[]; now: number }
  | { kind: 'snapshot'; path: string }
  | { kind: 'close' }

/** Rows travel as lists: an object for each would carry the names of its columns every time. */
export interface StatementResult {
  columns: readonly string[]
  rows: unknown[][]
  changes: number
}

/** Errors lose their own fields when they cross threads, so they travel as plain values. */
export interface Failure {
  message: string
  errcode: number | undefined
  operator: boolean
  /** It was not begun, because nobody waits for it any more. */
  late?: boolean
}

export type Settled<Result> = { ok: true; result: Result } | { ok: false; failure: Failure }

export interface Envelope {
  id: number
  request: Request
  /** When whoever asked gives up, by the clock that all threads share; null: never. */
  answerBy: number | null
}

/** The id of the first thing a thread says, which nobody asked for: that it is up. */
export const UP = 0

export interface Reply {
  id: number
  outcome: Settled<unknown>
}
