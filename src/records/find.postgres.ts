import { sql } from 'kysely'
import type { FindEngine } from './find-engine.ts'
import { postgresTextIndex } from './text-index.postgres.ts'

export const postgresFind: FindEngine = {
  // The text index gives everything it has, not the newest first: it is asked for what is rare.
  firstWalk: 2_000,
  textPatienceMs: 30,
  // One by one: a join of unknown size would read the whole table.
  recordsOf: (table, organizationId) =>
    sql`${sql.ref(table)} cross join lateral (
      select * from record
      where organization_id = ${organizationId} and key = ${sql.ref(`${table}.key`)}
      offset 0
    ) as record`,
  // Without statistics it would join all tags with all matches: seconds instead of milliseconds.
  rowByRow: sql`offset 0`,
  position: (text, searched) => sql`strpos(${text}, ${searched})`,
  tags: (organizationId) => sql`(
    select json_agg(tag order by tag)::text from record_tag
    where organization_id = ${organizationId} and record_key = record.key and origin <> 'removed'
  )`,
  jsonPage: null,
  asJson: (column) => sql`json_agg(${column})::text`,
  textIndex: postgresTextIndex,
}
