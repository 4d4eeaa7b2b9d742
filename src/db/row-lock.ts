import { sql, type RawBuilder } from 'kysely'
import type { EngineName } from './database.ts'

/** At the end of a query whose rows nobody else may change until the transaction ends. */
export const ROW_LOCK: Record<EngineName, RawBuilder<unknown>> = {
  // Whoever writes has the whole database.
  sqlite: sql``,
  postgres: sql`for update`,
}
