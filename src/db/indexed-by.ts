import { sql, type RawBuilder } from 'kysely'
import type { EngineName } from './database.ts'

/** A table, read by this index. SQLite has no statistics, and would rather walk along the primary key. */
export const INDEXED_BY: Record<EngineName, (table: string, index: string) => RawBuilder<unknown>> =
  {
    sqlite: (table, index) => sql`${sql.ref(table)} indexed by ${sql.ref(index)}`,
    postgres: (table) => sql`${sql.ref(table)}`,
  }
