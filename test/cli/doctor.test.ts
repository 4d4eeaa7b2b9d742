import { chmod, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Finding } from '#src/cli/diagnose.ts'
import { expectRefusal } from '#test/support/expect-refusal.ts'
import { foundedPlace, makeNewer, storedIn } from '#test/support/founded-place.ts'
import { ENGINES, testPlace, type Place } from '#test/support/place.ts'
import { earshot, earshotJson, startService } from '#test/support/program.ts'
import { BOUND_BY_FILE_MODES } from '#test/support/unprivileged.ts'

const CHECKS = [
  'Node',
  'Settings',
  'Data directory',
  'Secret',
  'Database',
  'Migrations',
  'Account',
  'Secret of the database',
]

describe.concurrent.each(ENGINES)('earshot doctor on %s', (engine) => {
  test('finds all well, whether or not the service runs', async () => {
    await using place = await foundedPlace(engine)

    const stopped = await examine(place)
    await using _service = await startService(place)
    const running = await examine(place)

    expect(stopped).toEqual({
      code: 0,
      ok: true,
      checks: CHECKS.map((name) => ({ name, ok: true, detail: expect.stringMatching(/\S/) })),
    })
    expect(withoutFigures(running)).toEqual(withoutFigures(stopped))
  })

  test('says that there is nobody yet, and how to make the first', async () => {
    await using place = await testPlace(engine)
    await earshotJson(place, ['migrate'])

    const { code, checks } = await examine(place)

    expect(code).toBe(0)
    expect(checks.at(-1)).toEqual({
      name: 'Account',
      ok: true,
      detail: 'nobody yet',
      fix: expect.stringContaining('earshot init'),
    })
  })

  test('reports a database that is too new', async () => {
    await using place = await foundedPlace(engine)
    await makeNewer(place)

    const { code, ok, checks } = await examine(place)

    expect({ code, ok }).toEqual({ code: 1, ok: false })
    expect(checks.filter((check) => !check.ok)).toMatchObject([
      { name: 'Database', detail: expect.stringMatching(/version 9999.*Start the newer Earshot/) },
    ])
  })

  test('changes nothing where nothing is yet', async () => {
    await using place = await testPlace(engine)

    const { code } = await examine(place)

    expect(code).toBe(0)
    expect(await readdir(place.dataDirectory)).toEqual([])
    expect(await tablesIn(place)).toEqual([])
  })
})

describe.concurrent('earshot doctor', () => {
  test('changes nothing in a database either', async () => {
    await using place = await foundedPlace('sqlite')
    const before = await filesIn(place.dataDirectory)

    await examine(place)

    expect(Object.keys(before)).toEqual(['earshot.db', 'secret'])
    expect(await filesIn(place.dataDirectory)).toEqual(before)
  })

  test('reports a setting that it does not know', async () => {
    await using place = await foundedPlace('sqlite')

    const { code, stdout } = await earshot(place, ['doctor'], {
      variables: { EARSHOT_RATE_LIMITS: '5' },
    })

    expect(code).toBe(1)
    expect(stdout).toContain('✗ Settings: not known: EARSHOT_RATE_LIMITS\n    → ')
  })

  test('reports a secret that others can read', async () => {
    await using place = await foundedPlace('sqlite')
    const secret = join(place.dataDirectory, 'secret')
    await chmod(secret, 0o644)

    const { code, checks } = await examine(place)

    expect(code).toBe(1)
    expect(checks.filter((check) => !check.ok)).toEqual([
      { name: 'Secret', ok: false, detail: expect.any(String), fix: `chmod 600 ${secret}` },
    ])
  })

  test('reports a PostgreSQL that cannot be reached, without its password', async () => {
    await using place = await testPlace('sqlite')

    const { code, stdout, stderr } = await earshot(place, ['doctor', '--json'], {
      variables: { DATABASE_URL: 'postgres://earshot:hush-hush@127.0.0.1:1/earshot' },
    })

    const { ok, checks } = JSON.parse(stdout)
    expect({ code, ok }).toEqual({ code: 1, ok: false })
    expect(checks.at(-1)).toMatchObject({
      name: 'Database',
      ok: false,
      detail: expect.stringMatching(/127\.0\.0\.1:1.*DATABASE_URL/),
    })
    expect(stdout + stderr).not.toContain('hush-hush')
  })

  test('reports a data directory that cannot be written to', async () => {
    await using place = await testPlace('sqlite')
    await chmod(place.dataDirectory, 0o555)

    const { code, stdout } = await earshot(place, ['doctor'], { through: BOUND_BY_FILE_MODES })

    expect(code).toBe(1)
    expect(stdout).toMatch(/✗ Data directory: .*cannot be written to.*EARSHOT_DATA_DIR/)
  })

  test('reports a file that is no database in the place of one', async () => {
    await using place = await testPlace('sqlite')
    await writeFile(join(place.dataDirectory, 'earshot.db'), 'not a database '.repeat(1_000))

    const { code, stdout, stderr } = await earshot(place, ['doctor'])

    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toMatch(/✗ Database: /)
  })

  test('reports a database that is damaged', async () => {
    await using place = await foundedPlace('sqlite')
    const path = join(place.dataDirectory, 'earshot.db')
    const bytes = await readFile(path)
    await writeFile(path, bytes.fill(0x5a, 4_096 * 4, 4_096 * 12))

    const { code, checks } = await examine(place)

    expect(code).toBe(1)
    expect(checks.filter((check) => !check.ok)).toMatchObject([
      { name: 'Database', fix: expect.stringContaining('earshot restore') },
    ])
  })

  test('reports a secret that is not the one of the database', async () => {
    await using place = await foundedPlace('sqlite')

    const { code, stdout } = await earshot(place, ['doctor'], {
      variables: { EARSHOT_SECRET: 'another secret of thirty-two characters' },
    })

    expect(code).toBe(1)
    expect(stdout).toMatch(/✗ Secret of the database: .*\n {4}→ Put back the secret/)
  })

  test('makes no directory where none is yet', async () => {
    await using place = await testPlace('sqlite')
    const missing = join(place.dataDirectory, 'not', 'there')

    const { code, stdout } = await earshot(place, ['doctor'], {
      variables: { EARSHOT_DATA_DIR: missing },
    })

    expect(code).toBe(0)
    expect(stdout).toContain(`none yet: made at ${missing}`)
    expect(await readdir(place.dataDirectory)).toEqual([])
  })

  test('refuses to examine while a setting has a wrong value', async () => {
    await using place = await testPlace('sqlite')

    const outcome = await earshot(place, ['doctor', '--json'], { variables: { PORT: 'high' } })

    expectRefusal(outcome, /PORT cannot be "high"/)
  })
})

async function examine(
  place: Place,
): Promise<{ code: number | null; ok: boolean; checks: Finding[] }> {
  const { code, stdout } = await earshot(place, ['doctor', '--json'])
  return { code, ...JSON.parse(stdout) }
}

async function filesIn(directory: string): Promise<Record<string, string>> {
  const names = (await readdir(directory)).sort()
  const contents = names.map((name) => readFile(join(directory, name), 'base64'))
  const values = await Promise.all(contents)
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']))
}

async function tablesIn(place: Place): Promise<unknown[]> {
  if (place.engine === 'sqlite') return [] // a file, and there is none
  const tables = sql`select tablename from pg_tables where schemaname = 'public'`
  return storedIn(place, async (db) => (await tables.execute(db)).rows)
}

/** How much of the disk is free changes while others work. */
function withoutFigures(report: unknown): unknown {
  return JSON.parse(JSON.stringify(report).replaceAll(/[\d.]+ GiB/g, 'some GiB'))
}
