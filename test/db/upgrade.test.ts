// What was stored by an earlier version is found by this one.

import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { wantedBySearch } from '#src/records/wanted.ts'
import { findPage } from '#src/records/find-page.ts'
import { readConfig } from '#src/config.ts'
import { Search } from '#src/contract/search.ts'
import { readMigrations } from '#src/db/migrations.ts'
import { openDatabase } from '#src/db/open-database.ts'
import { migrateSqlite } from '#src/db/sqlite/migrate.ts'
import { testPlace } from '#test/support/place.ts'

/** The last version whose index of texts had no words. */
const WITHOUT_WORDS = 3
/** More than are looked at before the index is asked. */
const NEWER = 1_500

test('texts that were stored before there was an index of words are found by their words', async () => {
  await using place = await testPlace('sqlite')
  const config = readConfig(place.variables)
  const migrations = await readMigrations('sqlite')
  const old = new DatabaseSync(config.database.path)
  migrateSqlite(old, migrations.slice(0, WITHOUT_WORDS), 0)
  old.exec(
    `insert into organization (id, name, plan_type, created_at) values ('org_a', 'A', 'pro', 0)`,
  )
  const insert = old.prepare(`
    insert into record (key, organization_id, id, platform, forum_id, subforum, channel, title, body, text,
      permalink, author, score, num_comments, created_at, has_image, matched, verification, first_seen_at)
    values (?, 'org_a', ?, 'forum', ?, 'a', 'a', ?, '', ?, '', '', 0, 0, ?, 0, 0, 'clear', 0)`)
  const store = (key: number, title: string) =>
    insert.run(key, `rec_${key}`, `p${key}`, title, `${title}\u001f`, key)
  old.exec('begin')
  store(1, 'An (unusual) zqxword, said once')
  for (let key = 2; key < NEWER; key += 1) store(key, `a ${key}`)
  old.exec('commit')
  old.close()

  await using database = await openDatabase(config.database)
  await database.migrate(0)
  const titles = async (q: string) => {
    const wanted = wantedBySearch(Search.body.parse({ q }))
    const engine = 'sqlite' as const
    const finding = { engine, organizationId: 'org_a', wanted, watch: null, shownTerm: q }
    const terms = { limit: 20, behind: null, timeoutMs: 10_000 }
    const { records } = await findPage(database.db, finding, terms)
    return records.map(({ title }) => title)
  }
  expect(await titles('qxwor')).toEqual(['An (unusual) zqxword, said once'])
  expect(await titles('l) zqx')).toEqual(['An (unusual) zqxword, said once'])
  expect(await titles('zqxworm')).toEqual([])
})
