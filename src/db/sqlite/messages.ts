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
}

export type Request =
  | { kind: 'statement'; statement: Statement }
  | { kind: 'group'; statements: Statement[] }
  | { kind: 'migrate'; migrations: Migration[]; now: number }
  | { kind: 'snapshot'; path: string }
  | { kind: 'close' }

export interface StatementResult {
  rows: unknown[]
  changes: number
}

/** Errors lose their own fields when they cross threads, so they travel as plain values. */
export interface Failure {
  message: string
  errcode: number | undefined
  operator: boolean
}

export type Settled<Result> = { ok: true; result: Result } | { ok: false; failure: Failure }

export interface Envelope {
  id: number
  request: Request
}

export interface Reply {
  id: number
  outcome: Settled<unknown>
}
