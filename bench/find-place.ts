import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database, EngineName } from '../src/db/database.ts'
import { readMigrations } from '../src/db/migrations.ts'
import { TEXT_INDEX } from '../src/ingest/text-index.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import type { FindDataset } from './find-dataset.ts'

const LOOK_EVERY_MS = 1_000
const SETTLED_WITHIN_MS = 300_000

export interface Place extends AsyncDisposable {
  home: string
  variables: Record<string, string>
}

/** With EARSHOT_BENCH_DIR a SQLite database stays there for the next run. */
export async function placeFor(engine: EngineName, records: number): Promise<Place> {
  const kept = engine === 'sqlite' ? process.env['EARSHOT_BENCH_DIR'] : undefined
  const home =
    kept === undefined
      ? mkdtempSync(join(tmpdir(), 'earshot-bench-'))
      : join(kept, `find-${engine}-${records}`)
  if (kept !== undefined && (await describedIn(home)) === undefined) {
    rmSync(home, { recursive: true, force: true })
    mkdirSync(home, { recursive: true })
  }
  const server = engine === 'postgres' ? await startPostgres() : undefined
  return {
    home,
    variables: {
      EARSHOT_DATA_DIR: home,
      DATABASE_URL: server?.url ?? '',
      // Plain queries take their time.
      EARSHOT_QUERY_TIMEOUT_MS: '600000',
    },
    async [Symbol.asyncDispose]() {
      await server?.stop()
      if (kept === undefined) rmSync(home, { recursive: true, force: true })
    },
  }
}

const DESCRIPTION = 'find.json'

/** What was loaded into this folder, if all of it was, with the tables as they are now. */
export async function describedIn(home: string): Promise<FindDataset | undefined> {
  const path = join(home, DESCRIPTION)
  if (!existsSync(path)) return undefined
  const { tables, dataset } = JSON.parse(readFileSync(path, 'utf8'))
  return tables === (await fingerprintOfTables()) ? dataset : undefined
}

export async function describe(home: string, dataset: FindDataset): Promise<void> {
  const description = { tables: await fingerprintOfTables(), dataset }
  writeFileSync(join(home, DESCRIPTION), JSON.stringify(description, null, 2))
}

async function fingerprintOfTables(): Promise<string> {
  const migrations = await readMigrations('sqlite')
  const scripts = migrations.map(({ script }) => script.replaceAll(/^--.*$/gm, ''))
  return createHash('sha256').update(scripts.join('\n')).digest('hex')
}

/**
 * PostgreSQL tidies up after so many new rows by itself; until then it is busy with that. On SQLite a
 * job does it every few minutes.
 */
export async function settled({ engine, db }: Database): Promise<void> {
  while (await TEXT_INDEX[engine].tidy(db)) continue
  if (engine === 'sqlite') return
  const deadline = Date.now() + SETTLED_WITHIN_MS
  while (Date.now() < deadline) {
    const { rows } = await sql<{ busy: number; untouched: number }>`
      select
        (select count(*) from pg_stat_activity where backend_type = 'autovacuum worker') as busy,
        (select count(*) from pg_stat_user_tables
          where relname in ('record', 'record_word')
            and (last_autovacuum is null or last_autoanalyze is null)) as untouched
    `.execute(db)
    if (rows[0]?.busy === 0 && rows[0].untouched === 0) return
    await sleep(LOOK_EVERY_MS)
  }
}
