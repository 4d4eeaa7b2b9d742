// The table types are written by hand; here they are compared with what the migrations made.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { readConfig } from '#src/config.ts'
import type { Database } from '#src/db/database.ts'
import { openDatabase } from '#src/db/open-database.ts'
import { ENGINES, testPlace } from '#test/support/place.ts'

const SOURCES = ['tables.ts', 'tables-events.ts'].map((file) =>
  join(import.meta.dirname, '../../src/db', file),
)
const TYPES: Record<string, string> = {
  text: 'string',
  integer: 'number',
  bigint: 'number',
}

describe.each(ENGINES)('tables.ts on %s', (engine) => {
  test('names every table and column, with its type and whether it may be null', async () => {
    await using place = await testPlace(engine)
    await using database = await openDatabase(readConfig(place.variables).database)
    await database.migrate(0)

    expect(declaredTables()).toEqual(await migratedTables(database))
  })

  test('every index of a table with an organization’s data starts with the organization', async () => {
    await using place = await testPlace(engine)
    await using database = await openDatabase(readConfig(place.variables).database)
    await database.migrate(0)
    const owned = new Set(
      Object.entries(declaredTables())
        .filter(([, columns]) => Object.hasOwn(columns, 'organization_id'))
        .map(([table]) => table),
    )

    const strays = (await indexes(database)).filter(
      ({ table, first }) => owned.has(table) && first !== 'organization_id',
    )

    // Found by something else before the organization is known, or purged over all organizations.
    expect(strays.map(({ table, first }) => `${table}.${first}`).sort()).toEqual([
      'api_key_locator.key_hash',
      'invitation.expires_at',
      'membership.person_id',
      'session.expires_at',
      'session.person_id',
      'session.token_hash',
      'watcher_channel.platform',
    ])
  })
})

type Tables = Record<string, Record<string, string>>

/** The index of texts, which is written and read in the files of its engine alone. */
const ENGINES_OWN = /^(record_text|record_sign|record_word|text_partition|word)/

function declaredTables(): Tables {
  const source = SOURCES.map((file) => readFileSync(file, 'utf8')).join('\n')
  const names = new Map(
    [...source.matchAll(/^ {2}(\w+): (\w+Table)$/gm)].map(([, table, type]) => [type, table]),
  )
  const interfaces = [...source.matchAll(/^(?:export )?interface (\w+Table) \{\n([^}]+)\}/gm)]
  return Object.fromEntries(
    interfaces.map(([, type, body = '']) => {
      const columns = [...body.matchAll(/^ {2}(\w+): (.+)$/gm)].map(([, name, ts]) => [name, ts])
      return [names.get(type), Object.fromEntries(columns)]
    }),
  )
}

const COLUMNS = {
  sqlite: sql<{ table: string; name: string; type: string; nullable: number }>`
    select t.name as "table", c.name, lower(c.type) as type,
      (c."notnull" = 0 and c.pk = 0) as nullable
    from sqlite_master t, pragma_table_info(t.name) c
    where t.type = 'table'`,
  postgres: sql<{ table: string; name: string; type: string; nullable: number }>`
    select table_name as "table", column_name as name, data_type as type,
      (is_nullable = 'YES')::int as nullable
    from information_schema.columns where table_schema = 'public'`,
}

async function migratedTables({ engine, db }: Database): Promise<Tables> {
  const { rows } = await COLUMNS[engine].execute(db)
  const tables: Tables = {}
  for (const { table, name, type, nullable } of rows) {
    if (ENGINES_OWN.test(table)) continue
    tables[table] ??= {}
    tables[table][name] = `${TYPES[type]}${nullable ? ' | null' : ''}`
  }
  return tables
}

const INDEXES = {
  sqlite: sql<{ table: string; first: string }>`
    select t.name as "table", c.name as first
    from sqlite_master t, pragma_index_list(t.name) i, pragma_index_info(i.name) c
    where t.type = 'table' and c.seqno = 0`,
  postgres: sql<{ table: string; first: string }>`
    select t.relname as "table", a.attname as first
    from pg_index i
    join pg_class t on t.oid = i.indrelid
    join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
    where t.relnamespace = 'public'::regnamespace`,
}

async function indexes({ engine, db }: Database): Promise<{ table: string; first: string }[]> {
  const { rows } = await INDEXES[engine].execute(db)
  return rows
}
