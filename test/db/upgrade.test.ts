// What was stored by an earlier version is found by this one.

import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { readConfig, type Config } from '#src/config.ts'
import { Search } from '#src/contract/search.ts'
import type { Database, EngineName } from '#src/db/database.ts'
import { readMigrations } from '#src/db/migrations.ts'
import { openDatabase } from '#src/db/open-database.ts'
import { migratePostgres } from '#src/db/postgres/migrate.ts'
import { migrateSqlite } from '#src/db/sqlite/migrate.ts'
import { TEXT_INDEX } from '#src/ingest/text-index.ts'
import { findPage } from '#src/records/find-page.ts'
import { wantedBySearch } from '#src/records/wanted.ts'
import { ENGINES, testPlace, type Place } from '#test/support/place.ts'

/** The last version whose index of texts had no words. */
const WITHOUT_WORDS = 3
/** More than are looked at before the index is asked. */
const NEWER = 2_200
const ORGANIZATION = 'org_a'
const LONG_WORD = 'qzj'.repeat(150)
const ODD = `An (unusual) zqxword, said once: c++ 日本語 🚀! ${LONG_WORD}`

const FOUND = `insert into organization (id, name, plan_type, created_at) values ('${ORGANIZATION}', 'A', 'pro', 0)`

function insertion(key: number, title: string): string {
  return `
    insert into record (key, organization_id, id, platform, forum_id, subforum, channel, title, body, text,
      permalink, author, score, num_comments, created_at, has_image, matched, verification, first_seen_at)
    values (${key}, '${ORGANIZATION}', 'rec_${key}', 'forum', 'p${key}', 'a', 'a', '${title}', '',
      '${title.toLowerCase()}\u001f', '', '', 0, 0, ${key}, 0, 0, 'clear', 0);`
}

const STORED = [
  FOUND,
  insertion(1, ODD),
  ...Array.from({ length: NEWER }, (_, index) => insertion(index + 2, `a ${index}`)),
]

const OLD: Record<EngineName, (config: Config) => Promise<void>> = {
  async sqlite({ database: { path } }) {
    const old = new DatabaseSync(path)
    migrateSqlite(old, (await readMigrations('sqlite')).slice(0, WITHOUT_WORDS), 0)
    old.exec(['begin', ...STORED, 'commit'].join(';'))
    old.close()
  },
  async postgres({ database: { url } }) {
    const pool = new pg.Pool({ connectionString: url })
    await migratePostgres(pool, (await readMigrations('postgres')).slice(0, WITHOUT_WORDS), 0)
    await pool.query(STORED.join(';'))
    await pool.end()
  },
}

async function upgraded(place: Place, engine: EngineName): Promise<Database> {
  const config = readConfig(place.variables)
  await OLD[engine](config)
  const database = await openDatabase(config.database)
  await database.migrate(0)
  return database
}

async function titles({ db, engine }: Database, q: string): Promise<string[]> {
  const wanted = wantedBySearch(Search.body.parse({ q }))
  const finding = { engine, organizationId: ORGANIZATION, wanted, watch: null, shownTerm: q }
  const terms = { limit: 20, behind: null, timeoutMs: 10_000 }
  const { records } = await findPage(db, finding, terms)
  return records.map(({ title }) => title)
}

/** Everything that the text index has. */
const INDEXED: Record<EngineName, (database: Database) => Promise<unknown[]>> = {
  async sqlite({ db }) {
    return (await sql`select text from word order by text`.execute(db)).rows
  },
  async postgres({ db }) {
    const own = sql.lit(ORGANIZATION)
    const { rows } = await sql`
      select text, number, array(select unnest(grams) order by 1) as numbers
      from word where organization_id = ${own}
      union all
      select record_key::text, 0, array(select unnest(words) order by 1)
      from record_word where organization_id = ${own}
      order by 1, 2`.execute(db)
    return rows
  },
}

describe.each(ENGINES)('an upgrade on %s', (engine) => {
  test('texts that were stored before there was an index of words are found by their words', async () => {
    await using place = await testPlace(engine)
    await using database = await upgraded(place, engine)

    const sought = ['qxwor', 'l) zqx', 'c++', '本語 🚀', '🚀!', '語', 'z', LONG_WORD.slice(7, 390)]
    for (const term of sought) expect(await titles(database, term)).toEqual([ODD])
    expect(await titles(database, 'zqxworm')).toEqual([])
    expect(await titles(database, 'c--')).toEqual([])
  })

  test('the index is what it would be had the texts come in anew', async () => {
    await using place = await testPlace(engine)
    await using database = await upgraded(place, engine)
    const indexed = await INDEXED[engine](database)

    await database.db.transaction().execute(async (trx) => {
      await sql`delete from word`.execute(trx)
      const rows = await trx.selectFrom('record').select(['key', 'text']).execute()
      if (engine === 'sqlite') await sql`delete from record_sign`.execute(trx)
      await TEXT_INDEX[engine].put(trx, ORGANIZATION, rows)
    })

    expect(indexed.length).toBeGreaterThan(NEWER)
    expect(await INDEXED[engine](database)).toEqual(indexed)
  })
})
