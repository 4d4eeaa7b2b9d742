import { sql } from 'kysely'
import type { Database, EngineName } from './database.ts'
import { readMigrations } from './migrations.ts'

/** Reachable, and at least as far as this program knows: a newer release may have gone further. */
export async function isMigrated(database: Database): Promise<boolean> {
  return (await appliedVersion(database)) >= (await newestKnown(database.engine))
}

const NEWEST: Partial<Record<EngineName, Promise<number>>> = {}

/** Read once: the files do not change while the program runs, and probes come every few seconds. */
function newestKnown(engine: EngineName): Promise<number> {
  NEWEST[engine] ??= readMigrations(engine).then((known) => known.at(-1)?.version ?? 0)
  return NEWEST[engine]
}

/** The number of the newest migration that was applied; 0 in an empty database. */
export async function appliedVersion({ engine, db }: Database): Promise<number> {
  const { rows } = await HAS_TABLE[engine].execute(db)
  if (rows.length === 0) return 0
  const { version } = await db
    .selectFrom('migration')
    .select(({ fn }) => fn.max('version').as('version'))
    .executeTakeFirstOrThrow()
  return version ?? 0
}

/** The engine's own version, as it writes it. */
export async function engineVersion({ engine, db }: Database): Promise<string> {
  const { rows } = await VERSION[engine].execute(db)
  return rows[0]?.version ?? 'unknown'
}

/** SQLite's own check of the file; a server looks after its files itself. */
export async function isSound({ engine, db }: Database): Promise<boolean> {
  if (engine === 'postgres') return true
  try {
    const { rows } = await sql<{ result: string }>`
      select quick_check as result from pragma_quick_check limit 1`.execute(db)
    return rows[0]?.result === 'ok'
  } catch {
    return false // damaged beyond checking
  }
}

const VERSION = {
  sqlite: sql<{ version: string }>`select sqlite_version() as version`,
  postgres: sql<{ version: string }>`select current_setting('server_version') as version`,
}

const HAS_TABLE = {
  sqlite: sql`select 1 from sqlite_master where type = 'table' and name = 'migration'`,
  postgres: sql`select 1 where to_regclass('migration') is not null`,
}
