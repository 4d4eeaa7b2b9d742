// SQLite has one writer. This queue decides whose turn it is: a transaction holds the writer until
// it ends; single writes that wait together go out as one group and share one sync to disk.

import type { Settled, Statement, StatementResult } from './messages.ts'
import { errorOf, type SqliteThread } from './thread.ts'

/** Bounds how long the writes behind a group wait for it. */
const GROUP_SIZE = 256

interface Write {
  kind: 'write'
  statement: Statement
  resolve(result: StatementResult): void
  reject(error: unknown): void
}

interface Turn {
  kind: 'turn'
  grant(): void
}

export class SqliteWriter {
  readonly #thread: SqliteThread
  readonly #queue: (Write | Turn)[] = []
  #busy = false

  constructor(thread: SqliteThread) {
    this.#thread = thread
  }

  get waiting(): number {
    return this.#queue.length
  }

  write(statement: Statement): Promise<StatementResult> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ kind: 'write', statement, resolve, reject })
      this.#next()
    })
  }

  /** Waits for the writer and keeps it until `release`. */
  acquire(): Promise<void> {
    return new Promise((grant) => {
      this.#queue.push({ kind: 'turn', grant })
      this.#next()
    })
  }

  release(): void {
    this.#busy = false
    this.#next()
  }

  /** Only for whoever has acquired the writer. */
  run(statement: Statement): Promise<StatementResult> {
    return this.#thread.call({ kind: 'statement', statement })
  }

  #next(): void {
    const [first] = this.#queue
    if (this.#busy || first === undefined) return

    this.#busy = true
    if (first.kind === 'turn') {
      this.#queue.shift()
      first.grant()
      return
    }
    void this.#send(this.#takeGroup())
  }

  #takeGroup(): Write[] {
    const group: Write[] = []
    for (const entry of this.#queue) {
      if (entry.kind === 'turn' || group.length === GROUP_SIZE) break
      group.push(entry)
    }
    this.#queue.splice(0, group.length)
    return group
  }

  async #send(group: readonly Write[]): Promise<void> {
    try {
      const outcomes = await this.#commit(group)
      for (const [index, write] of group.entries()) settle(write, outcomes[index])
    } catch (error) {
      for (const write of group) write.reject(error)
    } finally {
      this.release()
    }
  }

  async #commit(group: readonly Write[]): Promise<Settled<StatementResult>[]> {
    const statements = group.map(({ statement }) => statement)
    const [only] = statements
    if (statements.length > 1 || only === undefined) {
      return this.#thread.call({ kind: 'group', statements })
    }
    return [{ ok: true, result: await this.run(only) }]
  }
}

function settle(write: Write, outcome: Settled<StatementResult> | undefined): void {
  if (outcome?.ok) write.resolve(outcome.result)
  else if (outcome !== undefined) write.reject(errorOf(outcome.failure))
}
