import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { databaseLog } from '../../logger.ts'
import type { Database } from '../database.ts'
import { readMigrations } from '../migrations.ts'
import type { Tables } from '../tables.ts'
import { migratePostgres } from './migrate.ts'

export interface PostgresOptions {
  url: string
  connections: number
  /** 0 lets statements take their time. */
  queryTimeoutMs: number
}

const CONNECT_TIMEOUT_MS = 5_000
const INT8_OID = 20

export async function openPostgres({
  url,
  connections,
  queryTimeoutMs,
}: PostgresOptions): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: queryTimeoutMs,
    application_name: 'earshot',
    keepAlive: true,
    types: { getTypeParser },
  })
  // A connection that breaks while idle is replaced by the pool; without a listener it would end us.
  pool.on('connect', (client) => client.on('error', () => {})) // told to the query it breaks under
  pool.on('error', (error) => databaseLog.warn({ err: error }, 'idle connection lost'))

  return {
    engine: 'postgres',
    location: withoutPassword(url),
    db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }),
    migrate: async (now) => migratePostgres(pool, await readMigrations('postgres'), now),
    poolFigures: () => ({
      connections: pool.totalCount,
      busy: pool.totalCount - pool.idleCount,
      waiting: pool.waitingCount,
    }),
    [Symbol.asyncDispose]: () => pool.end(),
  }
}

/** Our integers are milliseconds and counts, all below 2^53: numbers, as SQLite gives them. */
const getTypeParser = ((oid: number, format: 'text' | 'binary') =>
  oid === INT8_OID && format !== 'binary'
    ? Number
    : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser

function withoutPassword(url: string): string {
  const { host, pathname } = new URL(url)
  return `postgres://${host}${pathname}`
}
