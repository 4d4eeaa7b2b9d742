// Answers of a reading connection that stay true while nothing is written. SQLite counts what others
// commit, so that one look at its count tells whether an answer is still what a new read would give.

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { BoundedMap } from '../../lib/bounded-map.ts'
import type { Statement, StatementResult } from './messages.ts'

const ANSWERS_KEPT = 100

export class KeptAnswers {
  readonly #answers = new BoundedMap<string, StatementResult>(ANSWERS_KEPT)
  readonly #count: StatementSync
  #countedAt: unknown

  constructor(database: DatabaseSync) {
    this.#count = database.prepare('pragma data_version')
  }

  answer(statement: Statement, read: () => StatementResult): StatementResult {
    const count = this.#count.get()?.['data_version']
    if (count !== this.#countedAt) this.#answers.clear()
    this.#countedAt = count

    const name = JSON.stringify([statement.sql, statement.parameters])
    const known = this.#answers.get(name)
    if (known !== undefined) return known
    const fresh = read()
    this.#answers.set(name, fresh)
    return fresh
  }
}
