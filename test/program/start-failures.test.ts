import { once } from 'node:events'
import { chmod, readdir } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { foundedPlace, makeNewer, storedIn } from '#test/support/founded-place.ts'
import { ENGINES, testPlace, type Place } from '#test/support/place.ts'
import { earshot, type Outcome } from '#test/support/program.ts'
import { BOUND_BY_FILE_MODES } from '#test/support/unprivileged.ts'

const PASSWORD = 'hush-hush'
const LOUD = { LOG_LEVEL: 'info' }

describe.concurrent.each(ENGINES)('a start on %s fails in one clear line', (engine) => {
  test.each(['all', 'work'])('when %s finds a newer database', async (role) => {
    await using place = await foundedPlace(engine)
    await makeNewer(place)

    const outcome = await earshot(place, [role])

    expectLines(outcome, [/version 9999, but this program knows only up to \d+\. Start the newer/])
  })

  test('when the port is in use', async () => {
    await using place = await foundedPlace(engine)
    await using busy = await listening()

    const outcome = await earshot(place, ['all'], { variables: { PORT: `${busy.port}` } })

    expectLines(outcome, [
      `Port ${busy.port} on 127.0.0.1 is in use. Stop what uses it, or set PORT`,
    ])
  })
})

describe.concurrent('a start fails in one clear line', () => {
  test('when the data directory is read-only', async () => {
    await using place = await testPlace('sqlite')
    await chmod(place.dataDirectory, 0o555)

    const outcome = await earshot(place, ['all'], { through: BOUND_BY_FILE_MODES })

    expectLines(outcome, [/cannot be written to \(EACCES.*\)\. Make it writable.*EARSHOT_DATA_DIR/])
    expect(await readdir(place.dataDirectory)).toEqual([])
  })

  test('when the data directory cannot be made', async () => {
    await using place = await testPlace('sqlite')
    await chmod(place.dataDirectory, 0o555)
    const variables = { EARSHOT_DATA_DIR: join(place.dataDirectory, 'data') }

    const outcome = await earshot(place, ['all'], { variables, through: BOUND_BY_FILE_MODES })

    expectLines(outcome, [/cannot be written to \(EACCES.*\)\. Make it writable.*EARSHOT_DATA_DIR/])
  })

  test('when the database in it is read-only', async () => {
    await using place = await foundedPlace('sqlite')
    await chmod(join(place.dataDirectory, 'earshot.db'), 0o444)

    const outcome = await earshot(place, ['all'], { through: BOUND_BY_FILE_MODES })

    expectLines(outcome, [/cannot be written to \(EACCES.*\)\. Make it writable.*EARSHOT_DATA_DIR/])
  })

  test('when the secret in it is not for this user to read', async () => {
    await using place = await foundedPlace('sqlite')
    const secret = join(place.dataDirectory, 'secret')
    await chmod(secret, 0o000)

    const outcome = await earshot(place, ['all'], { through: BOUND_BY_FILE_MODES })

    expectLines(outcome, [secret])
  })

  test('when nothing listens where PostgreSQL should', async () => {
    await using place = await testPlace('sqlite')
    const DATABASE_URL = `postgres://earshot:${PASSWORD}@127.0.0.1:1/earshot`

    const outcome = await earshot(place, ['all'], { variables: { DATABASE_URL } })

    expectLines(outcome, [
      /PostgreSQL at postgres:\/\/127\.0\.0\.1:1\/earshot .*Check.*DATABASE_URL/,
    ])
  })

  test('when PostgreSQL has no such database', async () => {
    await using place = await testPlace('postgres')
    const url = withPassword(place)
    url.pathname = '/nowhere'

    const outcome = await earshot(place, ['all'], { variables: { DATABASE_URL: url.href } })

    expectLines(outcome, [/PostgreSQL at .*"nowhere" does not exist.*Check.*DATABASE_URL/])
  })

  test('when PostgreSQL does not know the user', async () => {
    await using place = await testPlace('postgres')
    const url = withPassword(place)
    url.username = 'nobody'

    const outcome = await earshot(place, ['all'], { variables: { DATABASE_URL: url.href } })

    expectLines(outcome, [/PostgreSQL at .*"nobody" does not exist.*Check.*DATABASE_URL/])
  })

  test('when the address is none of this machine', async () => {
    await using place = await testPlace('sqlite')

    const outcome = await earshot(place, ['all'], { variables: { HOST: '192.0.2.1' } })

    expectLines(outcome, [/192\.0\.2\.1 is no address of this machine\. Set HOST/])
  })

  test('when production with PostgreSQL has no EARSHOT_SECRET', async () => {
    await using place = await testPlace('postgres')
    const DATABASE_URL = withPassword(place).href
    const variables = { NODE_ENV: 'production', DATABASE_URL }

    const outcome = await earshot(place, ['all'], { variables })

    expectLines(outcome, [/configuration/, /EARSHOT_SECRET is required.*openssl rand/])
    expect(await readdir(place.dataDirectory)).toEqual([])
  })
})

test('a start with several wrong settings names every one in a line of its own', async () => {
  await using place = await testPlace('sqlite')
  const variables = {
    PORT: '70000',
    LOG_LEVEL: 'loud',
    EARSHOT_RATE_LIMIT: '-1',
    EARSHOT_SECRET: 'too short',
    DATABASE_URL: `mysql://earshot:${PASSWORD}@127.0.0.1/earshot`,
  }

  const outcome = await earshot(place, ['all'], { variables })

  expectLines(outcome, [
    /configuration/,
    /PORT cannot be "70000": it takes a port from 0 to 65535/,
    /DATABASE_URL cannot be what was given: it takes `postgres:/,
    /EARSHOT_SECRET cannot be what was given: it takes at least 32 characters/,
    /EARSHOT_RATE_LIMIT cannot be "-1": it takes requests per minute/,
    /LOG_LEVEL cannot be "loud": it takes `trace`, `debug`/,
  ])
  expect(outcome.stderr).not.toContain('too short')
})

test('a start in production without a secret says so beside other wrong settings', async () => {
  await using place = await testPlace('postgres')
  const variables = { NODE_ENV: 'production', PORT: 'high' }

  const { code, stderr } = await earshot(place, ['all'], { variables })

  expect(code).toBe(1)
  expect(stderr).toMatch(/PORT cannot be "high"/)
  expect(stderr).toMatch(/EARSHOT_SECRET is required/)
})

test('a start that fails after it began to listen ends all the same', async () => {
  await using place = await foundedPlace('sqlite')
  await storedIn(place, (db) => db.schema.dropTable('person').execute())

  const { code, stdout, stderr } = await earshot(place, ['all'], { variables: LOUD })

  expect(stdout).toContain('"msg":"ready"')
  expect(stderr).toContain('no such table: person')
  expect(code).toBe(1)
})

/** These lines on stderr and no other, exit code 1, and the password nowhere. */
function expectLines({ code, stdout, stderr }: Outcome, lines: (string | RegExp)[]): void {
  const told = stderr.trimEnd().split('\n')
  expect({ code, stderr, told }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^earshot: (?!unexpected)/),
    told: lines.map((line) =>
      typeof line === 'string' ? expect.stringContaining(line) : expect.stringMatching(line),
    ),
  })
  expect(stdout + stderr).not.toContain(PASSWORD)
}

/** The tests' own server trusts everybody, so any password opens it. */
function withPassword({ variables }: Place): URL {
  const url = new URL(variables['DATABASE_URL'] ?? '')
  url.password = PASSWORD
  return url
}

async function listening(): Promise<AsyncDisposable & { port: number }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.close()
      await once(server, 'close')
    },
  }
}
