import { readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal } from '#test/support/expect-refusal.ts'
import { foundedPlace, type FoundedPlace } from '#test/support/founded-place.ts'
import { KeyWriter } from '#test/support/key-writer.ts'
import { signedIn } from '#test/support/people.ts'
import { testPlace } from '#test/support/place.ts'
import { earshot, earshotJson, startService } from '#test/support/program.ts'
import { OWNER } from '#test/support/test-app.ts'

describe.concurrent('earshot backup on sqlite', () => {
  test('is consistent while the service runs and writes', async () => {
    await using place = await foundedPlace('sqlite')
    await using service = await startService(place, 'serve')
    await using writer = new KeyWriter(await signedIn(service))
    await writer.reached(100)
    const before = [...writer.acknowledged]
    const file = join(place.dataDirectory, 'backup.db')

    const report = await earshotJson(place, ['backup', file])

    const writtenMeanwhile = writer.acknowledged.length - before.length
    await writer.stop()
    expect(writtenMeanwhile).toBeGreaterThan(0)
    expect(writer.failures).toEqual([])
    expect(report).toEqual({ file, bytes: (await stat(file)).size })
    using copy = new DatabaseSync(file, { readOnly: true })
    expect(copy.prepare('pragma quick_check').all()).toEqual([{ quick_check: 'ok' }])
    expect(copy.prepare('pragma foreign_key_check').all()).toEqual([])
    const kept = idsOf(copy.prepare('select id from api_key').all())
    const located = idsOf(copy.prepare('select key_id as id from api_key_locator').all())
    expect(kept).toEqual(located) // both are of one transaction

    await using elsewhere = await testPlace('sqlite')
    expect(await earshotJson(elsewhere, ['restore', file])).toEqual({ file, previous: null })
    await using restored = await startService(elsewhere, 'serve')
    const client = await signedIn(restored)
    const { body } = await client.get('/api/keys')
    const listed = idsOf(body.data['items'])
    expect(before.filter(({ id }) => !listed.has(id))).toEqual([])
    const statuses = before.map(async ({ key }) => (await client.get('/v1/me', { key })).status)
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]))
  })

  test('writes a file for this user only, and leaves nothing else behind', async () => {
    await using place = await foundedPlace('sqlite')
    const before = await readdir(place.dataDirectory)
    const file = join(place.dataDirectory, 'backup.db')

    await earshotJson(place, ['backup', file])

    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await readdir(place.dataDirectory)).sort()).toEqual([...before, 'backup.db'].sort())
  })

  test('replaces a file only with --force', async () => {
    await using place = await foundedPlace('sqlite')
    const file = join(place.dataDirectory, 'backup.db')
    await writeFile(file, 'something else')

    const unforced = await earshot(place, ['backup', file, '--json'])
    const untouched = await readFile(file, 'utf8')
    const forced = await earshot(place, ['backup', file, '--force', '--json'])

    expectRefusal(unforced, `${file} exists. Choose another name, or add --force.`)
    expect(untouched).toBe('something else')
    expect(forced.code).toBe(0)
    using copy = new DatabaseSync(file, { readOnly: true })
    expect(copy.prepare('select email from person').all()).toEqual([{ email: OWNER.email }])
  })
})

describe.concurrent('earshot backup refuses', () => {
  let place: FoundedPlace // one for all: none of them changes anything

  beforeAll(async () => {
    place = await foundedPlace('sqlite')
  })
  afterAll(() => place[Symbol.asyncDispose]())

  test('a place without a database', async () => {
    await using empty = await testPlace('sqlite')

    const outcome = await earshot(empty, ['backup', 'backup.db', '--json'])

    expectRefusal(outcome, /There is no database at .* to back up/)
    expect(await readdir(empty.dataDirectory)).toEqual([])
  })

  test('a folder that does not exist', async () => {
    const folder = join(place.dataDirectory, 'missing')

    const outcome = await earshot(place, ['backup', join(folder, 'backup.db'), '--json'])

    expectRefusal(outcome, folder)
  })

  test('a folder in place of a file, even with --force', async () => {
    const outcome = await earshot(place, ['backup', place.dataDirectory, '--force', '--json'])

    expectRefusal(outcome, place.dataDirectory)
  })

  test('the database itself, even with --force', async () => {
    const own = join(place.dataDirectory, 'earshot.db')
    const { ino } = await stat(own)

    const outcome = await earshot(place, ['backup', own, '--force', '--json'])

    expectRefusal(outcome, own)
    expect((await stat(own)).ino).toBe(ino)
  })

  test('PostgreSQL, and says to use pg_dump', async () => {
    await using elsewhere = await testPlace('postgres')

    expectRefusal(await earshot(elsewhere, ['backup', 'backup.db', '--json']), /pg_dump/)
  })
})

function idsOf(rows: unknown): Set<string> {
  return new Set((rows as { id: string }[]).map(({ id }) => id))
}
