import { sql } from 'kysely'
import type { ColumnType, RowsExpression } from '../rows.ts'

const TYPES: Record<ColumnType, string> = { text: 'text', integer: 'bigint' }

export const postgresRows: RowsExpression = (rows, columns) => {
  const names = Object.keys(columns) as (keyof typeof columns)[]
  const list = names.map(
    (name, index) =>
      sql`(value ->> ${sql.lit(index)})::${sql.raw(TYPES[columns[name]])} as ${sql.ref(name)}`,
  )
  const values = JSON.stringify(rows.map((row) => names.map((name) => row[name])))
  return sql`(select ${sql.join(list)} from json_array_elements(${values}::json))`
}
