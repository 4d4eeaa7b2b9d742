import type pg from 'pg'
import { dueMigrations, type Migration } from '../migrations.ts'

/** Any number will do, as long as every Earshot process uses the same: "EARS" in ASCII. */
const ADVISORY_LOCK = 0x45_41_52_53

/**
 * Applies what is due, each migration in a transaction of its own that first takes the lock: of
 * several processes that start together one migrates, the others wait and find nothing to do.
 */
export async function migratePostgres(
  pool: pg.Pool,
  known: readonly Migration[],
  now: number,
): Promise<number> {
  const client = await pool.connect()
  try {
    // An index on a large table may take longer than any statement of the service may.
    await client.query('set statement_timeout = 0')
    let applied = 0
    while (await applyNext(client, known, now)) applied += 1
    await client.query('reset statement_timeout')
    client.release()
    return applied
  } catch (error) {
    client.release(true)
    throw error
  }
}

async function applyNext(
  client: pg.PoolClient,
  known: readonly Migration[],
  now: number,
): Promise<boolean> {
  await client.query('begin')
  await client.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCK])
  const [next] = dueMigrations(known, await appliedVersion(client))
  if (next !== undefined) {
    await client.query(next.script)
    await client.query('insert into migration (version, name, applied_at) values ($1, $2, $3)', [
      next.version,
      next.name,
      now,
    ])
  }
  await client.query('commit')
  return next !== undefined
}

async function appliedVersion(client: pg.PoolClient): Promise<number> {
  const table = await client.query(`select to_regclass('migration') is not null as exists`)
  if (!table.rows[0].exists) return 0

  const newest = await client.query('select coalesce(max(version), 0) as version from migration')
  return newest.rows[0].version
}
