import { readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Client } from '#test/support/client.ts'
import { foundedPlace } from '#test/support/founded-place.ts'
import { ENGINES, testPlace, type Place } from '#test/support/place.ts'
import { earshot, startService, startTogether } from '#test/support/program.ts'
import { OWNER } from '#test/support/test-app.ts'

const SECRET = 'a-secret-of-at-least-thirty-two-characters'
const MISMATCH = 'EARSHOT_SECRET is not the one this database was made with'

describe.concurrent.each(ENGINES)('the secret on %s', (engine) => {
  test('is generated for this user only and kept over a restart', async () => {
    await using place = await testPlace(engine)
    await using first = await startService(place)
    const generated = await readFile(secretFile(place), 'utf8')
    await first.stop('SIGTERM')

    await using second = await startService(place)
    await second.stop('SIGTERM')

    expect(generated).toMatch(/^[0-9a-f]{64}\n$/)
    expect((await stat(secretFile(place))).mode & 0o777).toBe(0o600)
    expect(await readFile(secretFile(place), 'utf8')).toBe(generated)
    expect(second.log()).not.toContain(MISMATCH)
    expect(first.log() + second.log()).not.toContain(generated.trim())
  })

  test('is the same for processes that start at once in an empty place', async () => {
    await using place = await testPlace(engine)

    await using group = await startTogether(place, 3)

    await Promise.all(group.services.map((service) => service.stop('SIGTERM')))
    const logs = group.services.map((service) => service.log()).join('')
    expect(logs).not.toContain(MISMATCH) // each compared its own with the database's
    expect(
      (await readdir(place.dataDirectory)).filter((name) => name.startsWith('secret')),
    ).toEqual(['secret'])
  })

  test('of EARSHOT_SECRET wins, and another than the database knows is reported', async () => {
    await using place = await foundedPlace(engine)
    const generated = await readFile(secretFile(place), 'utf8')

    await using service = await startService(place, 'serve', { EARSHOT_SECRET: SECRET })
    await service.stop('SIGTERM')
    const command = await earshot(place, ['keys', 'list', '--json'], {
      variables: { EARSHOT_SECRET: SECRET },
    })

    expect(service.log()).toContain(MISMATCH)
    expect(command).toMatchObject({ code: 0, stderr: expect.stringContaining(MISMATCH) })
    expect(JSON.parse(command.stdout)).toEqual({ items: [] })
    expect(service.log() + command.stderr).not.toContain(SECRET)
    expect(await readFile(secretFile(place), 'utf8')).toBe(generated)
  })

  test('is not generated where EARSHOT_SECRET is set', async () => {
    await using place = await testPlace(engine)

    await using _service = await startService(place, 'serve', { EARSHOT_SECRET: SECRET })

    expect(await readdir(place.dataDirectory)).not.toContain('secret')
  })

  test('is nowhere in the log, nor any password, key or session', async () => {
    await using place = await foundedPlace(engine)
    const url = new URL(place.variables['DATABASE_URL'] || 'postgres://unused')
    url.password = 'hush-hush'
    const DATABASE_URL = engine === 'postgres' ? url.href : ''
    await using service = await startService(place, 'all', { LOG_LEVEL: 'trace', DATABASE_URL })
    const client = new Client(service.url)
    await client.signIn(OWNER)
    const { body } = await client.post('/api/keys', { name: 'a key' })
    const key = String(body.data['key'])
    await client.get('/v1/me', { key })
    await client.get(`/v1/me?key=${key}`)
    await client.post('/api/session', { ...OWNER, password: 'wrong guess' })

    await service.stop('SIGTERM')

    const secret = (await readFile(secretFile(place), 'utf8')).trim()
    const cookie = client.cookie?.split('=')[1] ?? ''
    const secrets = { secret, key, cookie, databasePassword: 'hush-hush', ...OWNER }
    const told = Object.entries(secrets).filter(([, value]) => service.log().includes(value))
    expect(cookie.length).toBeGreaterThan(20)
    expect(service.log()).toContain('/v1/me')
    expect(told).toEqual([])
  })
})

describe.concurrent('.env of the current directory', () => {
  test('is read, and the real environment wins over it', async () => {
    await using place = await testPlace('sqlite')
    const env = ['EARSHOT_LOGIN_RATE_LIMIT=many', 'EARSHOT_RATE_LIMIT=some', 'LOG_LEVEL=loud']
    await writeFile(join(place.dataDirectory, '.env'), env.join('\n'))

    const { code, stderr } = await earshot(place, ['migrate'])

    expect(code).toBe(1)
    expect(stderr).toContain('EARSHOT_LOGIN_RATE_LIMIT cannot be "many"')
    expect(stderr).not.toContain('EARSHOT_RATE_LIMIT') // the tests' place sets it
    expect(stderr).not.toContain('LOG_LEVEL')
  })

  test('may hold the secret', async () => {
    await using place = await testPlace('sqlite')
    await writeFile(join(place.dataDirectory, '.env'), `EARSHOT_SECRET='${SECRET}' # ours\n`)

    await using service = await startService(place, 'serve')

    await service.stop('SIGTERM')
    expect(await readdir(place.dataDirectory)).not.toContain('secret')
    expect(service.log()).not.toContain(SECRET)
  })
})

function secretFile({ dataDirectory }: Place): string {
  return join(dataDirectory, 'secret')
}
