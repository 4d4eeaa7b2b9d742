import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { readConfig } from '#src/config.ts'
import type { Database, EngineName } from '#src/db/database.ts'
import { isUniqueViolation } from '#src/db/failure.ts'
import { openDatabase } from '#src/db/open-database.ts'
import { ENGINES, testPlace, type Place } from '#test/support/place.ts'

const NOW = 1_763_000_000_000

describe.each(ENGINES)('the database contract on %s', (engine) => {
  test('migrates once, however many processes start together', async () => {
    await using place = await testPlace(engine)
    await using first = await opened(place)
    await using second = await opened(place)

    const applied = await Promise.all([first.migrate(NOW), second.migrate(NOW)])

    const rows = await first.db.selectFrom('migration').select(['version', 'applied_at']).execute()
    expect(applied[0] + applied[1]).toBe(rows.length)
    expect(rows[0]).toEqual({ version: 1, applied_at: NOW })
    expect(await first.migrate(NOW)).toBe(0)
  })

  test('refuses a database that is newer than the program', async () => {
    await using place = await testPlace(engine)
    await using database = await opened(place)
    await database.migrate(NOW)
    await database.db
      .insertInto('migration')
      .values({ version: 9_999, name: 'future', applied_at: NOW })
      .execute()

    await expect(database.migrate(NOW)).rejects.toThrow(/version 9999, but this program knows/)
  })

  test('a migration that fails leaves nothing behind', async () => {
    await using home = await migrated(engine)
    const { db } = home.database
    await db.deleteFrom('migration').execute() // so that the first one is due again, and fails

    await expect(home.database.migrate(NOW)).rejects.toThrow(/exist/)

    expect(await db.selectFrom('migration').selectAll().execute()).toEqual([])
    await insert(home.database, 'still works')
  })

  test('a committed write is seen by the next read', async () => {
    await using home = await migrated(engine)

    await insert(home.database, 'name')

    expect(await names(home.database)).toEqual(['name'])
  })

  test('a statement that begins with a table expression may read or write', async () => {
    await using home = await migrated(engine)
    const { db } = home.database
    await insert(home.database, 'name')

    await sql`with given (value) as (values ('new'))
      update setting set value = (select value from given)`.execute(db)
    const { rows } = await sql`with all_of_it as (select value from setting)
      select value from all_of_it`.execute(db)

    expect(rows).toEqual([{ value: 'new' }])
  })

  test('a transaction commits as a whole and is invisible until then', async () => {
    await using home = await migrated(engine)
    const { db } = home.database

    await db.transaction().execute(async (trx) => {
      await trx.insertInto('setting').values({ name: 'a', value: '1' }).execute()
      await trx.insertInto('setting').values({ name: 'b', value: '1' }).execute()
      expect(await trx.selectFrom('setting').select('name').execute()).toHaveLength(2)
      expect(await names(home.database)).toEqual([])
    })

    expect(await names(home.database)).toEqual(['a', 'b'])
  })

  test('a transaction that throws leaves nothing behind, and the next one works', async () => {
    await using home = await migrated(engine)
    const { db } = home.database

    const failing = db.transaction().execute(async (trx) => {
      await trx.insertInto('setting').values({ name: 'a', value: '1' }).execute()
      throw new Error('changed my mind')
    })

    await expect(failing).rejects.toThrow('changed my mind')
    await db.transaction().execute(async (trx) => {
      await trx.insertInto('setting').values({ name: 'b', value: '1' }).execute()
    })
    expect(await names(home.database)).toEqual(['b'])
  })

  test('transactions that read and write the same row do not lose an update', async () => {
    await using home = await migrated(engine)
    const { db } = home.database

    await Promise.all(
      Array.from({ length: 20 }, () =>
        db.transaction().execute(async (trx) => {
          await trx
            .updateTable('change')
            .set(({ eb }) => ({ version: eb('version', '+', 1) }))
            .where('name', '=', 'access')
            .execute()
        }),
      ),
    )

    const { version } = await db
      .selectFrom('change')
      .select('version')
      .where('name', '=', 'access')
      .executeTakeFirstOrThrow()
    expect(version).toBe(20)
  })

  test('of writes that arrive together, one that fails takes only itself back', async () => {
    await using home = await migrated(engine)

    const outcomes = await Promise.allSettled(
      ['a', 'b', 'a', 'c'].map((name) => insert(home.database, name)),
    )

    const failures = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(failures.map(({ reason }) => isUniqueViolation(reason))).toEqual([true])
    expect(await names(home.database)).toEqual(['a', 'b', 'c'])
  })

  test('integers, text and null come back as they went in', async () => {
    await using home = await migrated(engine)
    const key = {
      organization_id: 'org_1',
      id: 'key_1',
      person_id: 'usr_1',
      name: 'É %_\\ \' " 漢字 🎈',
      hint: '',
      scopes: '["*"]',
      created_at: 2 ** 52,
      expires_at: null,
      revoked_at: 0,
      last_used_at: null,
    }
    const { db } = home.database
    await db
      .insertInto('organization')
      .values({ id: 'org_1', name: 'One', plan_type: 'pro', created_at: NOW })
      .execute()

    await db.insertInto('api_key').values(key).execute()

    expect(await db.selectFrom('api_key').selectAll().execute()).toEqual([key])
  })

  test('tells how many rows a write touched', async () => {
    await using home = await migrated(engine)
    await insert(home.database, 'a')
    await insert(home.database, 'b')

    const { numUpdatedRows } = await home.database.db
      .updateTable('setting')
      .set({ value: '2' })
      .executeTakeFirstOrThrow()

    expect(numUpdatedRows).toBe(2n)
  })

  test('a broken query is an error of that query alone', async () => {
    await using home = await migrated(engine)

    await expect(sql`select nothing from nowhere`.execute(home.database.db)).rejects.toThrow()

    await insert(home.database, 'after')
    expect(await names(home.database)).toEqual(['after'])
  })
})

function opened(place: Place): Promise<Database> {
  return openDatabase(readConfig(place.variables).database)
}

async function migrated(engine: EngineName): Promise<AsyncDisposable & { database: Database }> {
  const place = await testPlace(engine)
  const database = await opened(place)
  await database.migrate(NOW)
  return {
    database,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await place[Symbol.asyncDispose]()
    },
  }
}

async function insert({ db }: Database, name: string): Promise<void> {
  await db.insertInto('setting').values({ name, value: '1' }).execute()
}

async function names({ db }: Database): Promise<string[]> {
  const rows = await db.selectFrom('setting').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}
