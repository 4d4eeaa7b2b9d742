// What takes the database too long is answered in time, and the process goes on.

import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import type { Db, EngineName } from '#src/db/database.ts'
import { isOutage, isTimeout } from '#src/db/failure.ts'
import { Client, expectFailure } from '#test/support/client.ts'
import { neighbourOf, type Neighbour } from '#test/support/neighbour.ts'
import { ENGINES } from '#test/support/place.ts'
import { testApp, type TestApp } from '#test/support/test-app.ts'
import { linesOf } from '#test/support/traces.ts'

const IMPATIENT = { EARSHOT_QUERY_TIMEOUT_MS: '300', EARSHOT_DATABASE_READERS: '1' }

/** Counting this far takes SQLite several times as long as a read may take here. */
const A_LONG_WAY = 4_000_000

const PATIENCE = { timeout: 20_000, interval: 50 }

describe.each(ENGINES)('a query that takes too long on %s', (engine) => {
  test('is answered with 503, and when there is less to do, all is well', async () => {
    await using home = await impatientApp(engine)
    const { client, key, service, app } = home
    await answered(home)

    const occupied = await occupy(app, service)
    const stopped = await client.get('/v1/records', { key })
    const alive = await client.get('/healthz')
    await occupied.end()

    expectFailure(stopped, 503, 'OVERLOADED')
    expect(stopped.headers.get('retry-after')).toBe('5')
    expect(stopped.body.error?.message).toBe(
      'This took the database too long and was stopped. Narrow it down by channel, platform or dates, or try again.',
    )
    expect(alive.status).toBe(200)
    await answered(home)
  })

  test('is a warning in the log, with the request id', async () => {
    await using home = await impatientApp(engine)
    const { client, key, service, app } = home
    await answered(home)

    const occupied = await occupy(app, service)
    const stopped = await client.get('/v1/records', { key })
    await occupied.end()

    const line = (await linesOf(app, stopped)).find(({ msg }) => msg === 'request failed')
    expect(line).toMatchObject({ level: 40, err: { message: expect.stringMatching(/\S/) } })
  })

  test('is no outage: the database is there', async () => {
    await using home = await impatientApp(engine)
    const { service, app } = home

    const occupied = await occupy(app, service)
    const read = service.app.db.selectFrom('record').select('id').execute()
    const reason: unknown = await read.catch((error: unknown) => error)
    await occupied.end()

    expect([isTimeout(reason), isOutage(reason)]).toEqual([true, false])
  })
})

describe('on sqlite', () => {
  test('reads that nobody waits for any more are not begun', async () => {
    await using home = await impatientApp('sqlite')
    const { db } = home.service.app

    // All of them would keep the thread busy for far longer than the test may take.
    const reads = await Promise.allSettled(Array.from({ length: 200 }, () => longRead(db)))

    expect(reads.filter(({ status }) => status === 'fulfilled')).toEqual([])
    const settings = () => db.selectFrom('setting').select('name').execute()
    await vi.waitFor(async () => expect(await settings()).not.toEqual([]), PATIENCE)
  })

  test('a write may take longer than a read', async () => {
    await using home = await impatientApp('sqlite')
    const { db } = home.service.app

    await sql`insert into setting (name, value) select 'far', ${aLongWay}`.execute(db)

    const { value } = await home.app.app.db
      .selectFrom('setting')
      .select('value')
      .where('name', '=', 'far')
      .executeTakeFirstOrThrow()
    expect(Number(value)).toBe(A_LONG_WAY)
  })
})

interface ImpatientApp extends AsyncDisposable {
  /** With the time that everybody has, on the same data. */
  app: TestApp
  service: Neighbour
  client: Client
  key: string
}

async function impatientApp(engine: EngineName): Promise<ImpatientApp> {
  const app = await testApp(engine)
  const service = await neighbourOf(app, { variables: IMPATIENT })
  const { key } = await app.createKey()
  return {
    app,
    service,
    client: new Client(service.url),
    key,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await app[Symbol.asyncDispose]()
    },
  }
}

/** Resolves when the list of records is answered as it should be. */
async function answered({ client, key }: ImpatientApp): Promise<void> {
  const list = () => client.get('/v1/records', { key })
  await vi.waitFor(async () => expect((await list()).status).toBe(200), PATIENCE)
}

/** Makes reading records take the service longer than it may, until the end. */
async function occupy(app: TestApp, service: Neighbour): Promise<{ end(): Promise<void> }> {
  if (app.place.engine === 'sqlite') {
    const reading = longRead(service.app.db).catch((error: unknown) => error)
    return { end: async () => expect(isTimeout(await reading)).toBe(true) }
  }
  const client = new pg.Client({ connectionString: app.place.variables['DATABASE_URL'] })
  await client.connect()
  await client.query('begin')
  await client.query('lock table record in access exclusive mode')
  return { end: () => client.end() }
}

const aLongWay = sql<number>`(
  select count(*) from (
    with recursive number (n) as (select 1 union all select n + 1 from number where n < ${sql.lit(A_LONG_WAY)})
    select n from number
  )
)`

function longRead(db: Db): Promise<unknown> {
  return sql`select ${aLongWay} as count`.execute(db)
}
