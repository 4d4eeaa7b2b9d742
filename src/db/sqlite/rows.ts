import { sql } from 'kysely'
import type { RowsExpression } from '../rows.ts'

export const sqliteRows: RowsExpression = (rows, columns) => {
  const names = Object.keys(columns) as (keyof typeof columns)[]
  const list = names.map(
    (name, index) => sql`value ->> ${sql.lit(`$[${index}]`)} as ${sql.ref(name)}`,
  )
  const values = rows.map((row) => names.map((name) => row[name]))
  return sql`(select ${sql.join(list)} from json_each(${JSON.stringify(values)}))`
}
