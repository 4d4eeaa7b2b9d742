import type { Config } from '../config.ts'
import type { Database } from './database.ts'
import { openPostgres } from './postgres/open.ts'
import { openSqlite } from './sqlite/open.ts'

/** Opens the engine that the configuration names: PostgreSQL by its URL, else the embedded one. */
export function openDatabase(config: Config['database']): Promise<Database> {
  const { url, connections, path, readers, queryTimeoutMs } = config
  return url === undefined
    ? openSqlite({ path, readers, queryTimeoutMs })
    : openPostgres({ url, connections, queryTimeoutMs })
}
