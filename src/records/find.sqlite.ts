import { sql } from 'kysely'
import type { FindEngine } from './find-engine.ts'
import { sqliteJsonPage } from './json-page.sqlite.ts'
import { tagsOf } from './tags.sqlite.ts'
import { sqliteTextIndex } from './text-index.sqlite.ts'

export const sqliteFind: FindEngine = {
  firstWalk: 500,
  textPatienceMs: 0,
  recordsOf: (table, organizationId) =>
    sql`${sql.ref(table)} cross join record
      on record.key = ${sql.ref(`${table}.key`)} and +record.organization_id = ${organizationId}`,
  rowByRow: sql``,
  position: (text, searched) => sql`instr(${text}, ${searched})`,
  tags: tagsOf,
  jsonPage: sqliteJsonPage,
  asJson: (column) => sql`json_group_array(${column})`,
  textIndex: sqliteTextIndex,
}
