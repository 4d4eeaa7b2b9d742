import { copyFile, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { expectRefusal } from '#test/support/expect-refusal.ts'
import { foundedPlace, storedIn, type FoundedPlace } from '#test/support/founded-place.ts'
import { KeyWriter } from '#test/support/key-writer.ts'
import { signedIn } from '#test/support/people.ts'
import { testPlace } from '#test/support/place.ts'
import { earshot, earshotJson, startService } from '#test/support/program.ts'

/** What changes about a key has a second to be known; the rest is for a busy machine. */
const WITHIN = { timeout: 2_000, interval: 20 }

interface Report {
  file: string
  previous: string
}

describe.concurrent('earshot restore on sqlite', () => {
  test('while the service runs, it serves the restored state at once', async () => {
    await using place = await foundedPlace('sqlite')
    await using service = await startService(place)
    const client = await signedIn(service)
    const revokedLater = await createKey(client)
    const file = join(place.dataDirectory, 'backup.db')
    await earshotJson(place, ['backup', file])
    const madeLater = await createKey(client)
    await client.send('DELETE', `/api/keys/${revokedLater.id}`)
    await becomes(client, revokedLater, 401)
    await becomes(client, madeLater, 200)

    const { previous } = await earshotJson<Report>(place, ['restore', file])

    await becomes(client, madeLater, 401)
    await becomes(client, revokedLater, 200)
    await becomes(client, await createKey(client), 200)
    using replaced = new DatabaseSync(previous, { readOnly: true })
    expect(replaced.prepare('select id from api_key where revoked_at is null').all()).toMatchObject(
      [{ id: madeLater.id }],
    )
  })

  test('what it replaces is kept for this user only', async () => {
    await using place = await foundedPlace('sqlite')
    const file = join(place.dataDirectory, 'backup.db')
    await earshotJson(place, ['backup', file])

    const { previous } = await earshotJson<Report>(place, ['restore', file])

    expect((await stat(previous)).mode & 0o777).toBe(0o600)
  })

  test('the service goes on writing without an error, during and after', async () => {
    await using place = await foundedPlace('sqlite')
    await using service = await startService(place)
    const client = await signedIn(service)
    const file = join(place.dataDirectory, 'backup.db')
    await earshotJson(place, ['backup', file])
    await using writer = new KeyWriter(client)
    await writer.reached(50)

    await earshotJson(place, ['restore', file])

    const { length } = writer.acknowledged
    await writer.reached(length + 50)
    const lately = writer.acknowledged.slice(length)
    await writer.stop()
    expect(writer.failures).toEqual([])
    const kept = await storedIn(place, (db) => db.selectFrom('api_key').select('id').execute())
    expect(kept.map(({ id }) => id)).toEqual(expect.arrayContaining(lately.map(({ id }) => id)))
    expect(quickCheck(join(place.dataDirectory, 'earshot.db'))).toBe('ok')
  })

  test('replaces a database that is damaged, and keeps it beside', async () => {
    await using place = await foundedPlace('sqlite')
    const file = join(place.dataDirectory, 'backup.db')
    await earshotJson(place, ['backup', file])
    const own = join(place.dataDirectory, 'earshot.db')
    await damage(own)
    const damaged = await readFile(own)

    const { previous } = await earshotJson<Report>(place, ['restore', file])

    expect((await readFile(previous)).equals(damaged)).toBe(true)
    expect(quickCheck(own)).toBe('ok')
    expect(await storedIn(place, (db) => db.selectFrom('person').select('id').execute())).toEqual([
      { id: place.userId },
    ])
  })
})

describe.concurrent('earshot restore refuses', () => {
  let place: FoundedPlace // one for all: none of them changes anything
  let backup: string

  beforeAll(async () => {
    place = await foundedPlace('sqlite')
    backup = join(place.dataDirectory, 'backup.db')
    await earshotJson(place, ['backup', backup])
  })
  afterAll(() => place[Symbol.asyncDispose]())

  test.each([
    {
      what: 'a file that is not there',
      make: async () => {},
      reason: /There is no file/,
    },
    {
      what: 'a file that is no database',
      make: (file: string) => writeFile(file, 'not a database '.repeat(1_000)),
      reason: /cannot be read as a backup/,
    },
    {
      what: 'the database of another program',
      make: async (file: string) => change(file, 'create table migration (version integer)'),
      reason: /is not a backup of Earshot/,
    },
    {
      what: 'a damaged file',
      make: async (file: string) => {
        await copyFile(backup, file)
        await damage(file)
      },
      reason: /damaged|cannot be read/,
    },
    {
      what: 'a file that was cut short',
      make: async (file: string) => {
        const whole = await readFile(backup)
        await writeFile(file, whole.subarray(0, whole.length / 2))
      },
      reason: /damaged|cannot be read/,
    },
    {
      what: 'a backup of a newer release',
      make: async (file: string) => {
        await copyFile(backup, file)
        change(file, `insert into migration values (9999, 'future', 0)`)
      },
      reason: /version 9999.*Start the newer Earshot/,
    },
  ])('$what, and leaves all as it is', async ({ what, make, reason }) => {
    const own = join(place.dataDirectory, 'earshot.db')
    const before = await readFile(own)
    const file = join(place.dataDirectory, what.replaceAll(' ', '-'))
    await make(file)

    const outcome = await earshot(place, ['restore', file, '--json'])

    expectRefusal(outcome, reason)
    expect(outcome.stderr).toContain(what.includes('newer') ? '' : file)
    expect((await readFile(own)).equals(before)).toBe(true)
    expect((await readdir(place.dataDirectory)).join()).not.toContain('before-restore')
  })

  test('PostgreSQL, and says to use pg_restore', async () => {
    await using elsewhere = await testPlace('postgres')

    expectRefusal(await earshot(elsewhere, ['restore', backup, '--json']), /pg_restore/)
  })
})

async function createKey(client: Client): Promise<{ id: string; key: string }> {
  const { status, body } = await client.post('/api/keys', { name: 'a key' })
  expect(status).toBe(200)
  return body.data as { id: string; key: string }
}

async function becomes(client: Client, { key }: { key: string }, status: number): Promise<void> {
  await vi.waitFor(async () => {
    expect((await client.get('/v1/me', { key })).status).toBe(status)
  }, WITHIN)
}

/** Turns every bit of the second half: one page alone may be one that nothing is in. */
async function damage(file: string): Promise<void> {
  const pageBytes = 4_096
  const bytes = await readFile(file)
  const half = bytes.subarray(Math.floor(bytes.length / pageBytes / 2) * pageBytes)
  half.set(half.map((byte) => byte ^ 0xff))
  await writeFile(file, bytes)
}

function change(file: string, script: string): void {
  using database = new DatabaseSync(file)
  database.exec(script)
}

function quickCheck(file: string): unknown {
  using database = new DatabaseSync(file, { readOnly: true })
  return database.prepare('pragma quick_check').get()?.['quick_check']
}
