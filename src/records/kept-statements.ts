// Statements that are asked for the most are put together once, and only filled in afterwards: that takes as
// long as to run them.

import type { CompiledQuery, RawBuilder } from 'kysely'
import type { Db } from '../db/database.ts'

/** What differs from one time to the next. Null is not there at all, which makes another statement. */
export interface Filling {
  organizationId: string
  term: string | null
  behind: number | null
  downTo: number | null
  limit: number
}

/** No value is one of these. */
const BLANKS = {
  organizationId: {} as never,
  term: '\u0000term',
  behind: {} as never,
  downTo: {} as never,
  limit: {} as never,
} as const satisfies Filling

type Part = keyof Filling

const PARTS = Object.keys(BLANKS) as Part[]

const statements = new Map<string, CompiledQuery>()

/** The name tells apart what `make` makes of the same blanks. */
export function keptStatement(
  db: Db,
  name: string,
  make: (blanks: Filling) => RawBuilder<unknown>,
  filling: Filling,
): CompiledQuery {
  const given = PARTS.filter((part) => filling[part] !== null)
  const statement = known(db, `${name} ${given.join(' ')}`, () => make(blanksFor(filling)))
  const values = new Map<unknown, unknown>(given.map((part) => [BLANKS[part], filling[part]]))
  const parameters = statement.parameters.map((blank) =>
    values.has(blank) ? values.get(blank) : blank,
  )
  return { ...statement, parameters }
}

function known(db: Db, name: string, make: () => RawBuilder<unknown>): CompiledQuery {
  const kept = statements.get(name)
  if (kept !== undefined) return kept
  const made = make().compile(db)
  statements.set(name, made)
  return made
}

function blanksFor({ term, behind, downTo }: Filling): Filling {
  return {
    ...BLANKS,
    term: term === null ? null : BLANKS.term,
    behind: behind === null ? null : BLANKS.behind,
    downTo: downTo === null ? null : BLANKS.downTo,
  }
}
