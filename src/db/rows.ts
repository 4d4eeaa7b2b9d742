// Many rows in one statement: they travel as one JSON parameter, so that the statement is the same
// whatever their number, prepared once, and a call is one message.

import type { RawBuilder } from 'kysely'
import type { EngineName } from './database.ts'
import { postgresRows } from './postgres/rows.ts'
import { sqliteRows } from './sqlite/rows.ts'

export type ColumnType = 'text' | 'integer'

type Value = string | number | null

/** A table expression, to be followed by `as name`, with a column for each of `columns`. */
export type RowsExpression = <Row extends Record<keyof Row, Value>>(
  rows: readonly Row[],
  columns: Readonly<Record<keyof Row & string, ColumnType>>,
) => RawBuilder<unknown>

export const ROWS: Record<EngineName, RowsExpression> = {
  sqlite: sqliteRows,
  postgres: postgresRows,
}

/** Things of organizations, by their keys: columns `organization_id` and `id`. */
export function keyRows(
  engine: EngineName,
  keys: readonly { organizationId: string; id: string }[],
): RawBuilder<unknown> {
  const rows = keys.map(({ organizationId, id }) => ({ organization_id: organizationId, id }))
  return ROWS[engine](rows, { organization_id: 'text', id: 'text' })
}
