// When it is not the caller's fault: bugs, an overloaded process, a database that is away.

import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, inject, test, vi } from 'vitest'
import { Client, expectFailure, type Answer } from '#test/support/client.ts'
import { relayTo } from '#test/support/database-relay.ts'
import { neighbourOf } from '#test/support/neighbour.ts'
import { signedIn } from '#test/support/people.ts'
import { ENGINES, type Place } from '#test/support/place.ts'
import { startService } from '#test/support/program.ts'
import { OWNER, testApp } from '#test/support/test-app.ts'
import { linesOf } from '#test/support/traces.ts'

describe.each(ENGINES)('outages on %s', (engine) => {
  describe('500 INTERNAL', () => {
    test('says nothing of what went wrong, and the log says it with the request id', async () => {
      await using app = await testApp(engine)
      const { key } = await app.createKey()
      await sql`alter table api_key_locator rename to hidden`.execute(app.app.db)

      const answer = await new Client(app.url).get('/v1/me', { key })

      expectFailure(answer, 500, 'INTERNAL')
      expect(Object.keys(answer.body.error ?? {}).sort()).toEqual(['code', 'message', 'requestId'])
      expect(JSON.stringify(answer.body)).not.toMatch(/api_key|table|relation|select|sqlite|\.ts/i)
      const failure = (await linesOf(app, answer)).find(({ msg }) => msg === 'request failed')
      expect(failure).toMatchObject({
        level: 50,
        err: { message: expect.stringContaining('api_key_locator'), stack: expect.any(String) },
      })
    })

    test('a bug of one request leaves the next one whole', async () => {
      await using app = await testApp(engine)
      const { key } = await app.createKey()
      const client = new Client(app.url)
      await sql`alter table api_key_locator rename to hidden`.execute(app.app.db)
      expectFailure(await client.get('/v1/me', { key }), 500, 'INTERNAL')

      await sql`alter table hidden rename to api_key_locator`.execute(app.app.db)
      const answer = await client.get('/v1/me', { key })

      expect(answer.status).toBe(200)
    })
  })

  describe('503 OVERLOADED', () => {
    test('a process that cannot keep up sheds requests, and takes them again later', async () => {
      await using app = await testApp(engine, { EARSHOT_MAX_EVENT_LOOP_DELAY_MS: '10' })
      const { key } = await app.createKey()
      const client = new Client(app.url)

      const { shed } = await whileOverloaded(() => client.get('/v1/me', { key }))

      expectFailure(shed, 503, 'OVERLOADED')
      expect(Number(shed.headers.get('retry-after'))).toBeGreaterThan(0)
      await vi.waitFor(async () => expect((await client.get('/v1/me', { key })).status).toBe(200), {
        timeout: 10_000,
        interval: 100,
      })
    })

    test('whoever watches the process gets an answer all the same', async () => {
      await using app = await testApp(engine, { EARSHOT_MAX_EVENT_LOOP_DELAY_MS: '10' })
      const client = new Client(app.url)

      const { statuses } = await whileOverloaded(
        () => client.get('/openapi.json'),
        [
          () => client.get('/healthz'),
          () => client.get('/readyz'),
          () => fetch(`${app.url}/metrics`),
        ],
      )

      expect(statuses).toEqual([200, 200, 200])
    })

    test('a probe that adds a query is a probe too', async () => {
      await using app = await testApp(engine, { EARSHOT_MAX_EVENT_LOOP_DELAY_MS: '10' })
      const client = new Client(app.url)

      const { statuses } = await whileOverloaded(
        () => client.get('/openapi.json'),
        [() => client.get('/healthz?from=probe')],
      )

      expect(statuses).toEqual([200])
    })

    test('with EARSHOT_MAX_EVENT_LOOP_DELAY_MS=0 nothing is shed', async () => {
      await using app = await testApp(engine, { EARSHOT_MAX_EVENT_LOOP_DELAY_MS: '0' })
      const { key } = await app.createKey()

      blockTheEventLoop()
      const answer = await new Client(app.url).get('/v1/me', { key })

      expect(answer.status).toBe(200)
    })
  })
})

describe('503 UNAVAILABLE on postgres', () => {
  test('a database that cannot be reached: come again soon, and then all is well', async () => {
    await using app = await testApp('postgres')
    await using relay = await relayTo(databaseOf(app.place))
    await using service = await neighbourOf(app, { variables: { DATABASE_URL: relay.url } })
    const { key } = await app.createKey()
    const client = await signedIn(service)

    await relay.cut()
    const answers = [
      await client.get('/v1/me', { key }),
      await client.get('/api/v1/me'),
      await client.post('/api/session', OWNER),
      await client.post('/api/keys', { name: 'a' }),
      await client.get('/readyz'),
    ]
    await relay.mend()

    for (const answer of answers) {
      expectFailure(answer, 503, 'UNAVAILABLE')
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(JSON.stringify(answer.body)).not.toMatch(/ECONN|127\.0\.0\.1|postgres/)
    }
    expect((await client.get('/v1/me', { key })).status).toBe(200)
    expect((await client.get('/readyz')).status).toBe(200)
  })

  test('the log says why, with the request id', async () => {
    await using app = await testApp('postgres')
    await using relay = await relayTo(databaseOf(app.place))
    await using service = await neighbourOf(app, { variables: { DATABASE_URL: relay.url } })
    const { key } = await app.createKey()

    await relay.cut()
    const answer = await new Client(service.url).get('/v1/me', { key })

    const failure = (await linesOf(app, answer)).find(({ msg }) => msg === 'request failed')
    expect(failure).toMatchObject({ level: 50, err: { message: expect.stringMatching(/\S/) } })
  })

  test('a connection that breaks under a query ends that request, not the process', async () => {
    await using app = await testApp('postgres')
    await using relay = await relayTo(databaseOf(app.place))
    const variables = { DATABASE_URL: relay.url }
    await using service = await startService(app.place, 'serve', variables)
    const { key } = await app.createKey()
    const client = new Client(service.url)
    const held = relay.holdAnswerTo('api_key_locator')

    const asked = client.get('/v1/me', { key })
    await held.given
    await relay.cut()
    const broken = await asked
    await relay.mend()

    expectFailure(broken, 503, 'UNAVAILABLE')
    expect((await client.get('/v1/me', { key })).status).toBe(200)
  })

  test('a database that was taken away while the service runs', async () => {
    await using app = await testApp('postgres')
    const { key } = await app.createKey()
    const client = new Client(app.url)
    await using _gone = await takenAway(app.place)

    const answers = [await client.get('/v1/me', { key }), await client.get('/readyz')]

    for (const answer of answers) expectFailure(answer, 503, 'UNAVAILABLE')
  })

  test('the process itself stays alive, and its metrics can be read', async () => {
    await using app = await testApp('postgres')
    const client = new Client(app.url)
    await using _gone = await takenAway(app.place)

    const metrics = await fetch(`${app.url}/metrics`)

    expect((await client.get('/healthz')).status).toBe(200)
    expect(metrics.status).toBe(200)
    expect(await metrics.text()).toContain('earshot_http_requests_total')
  })
})

/** Sends the watched requests between two that are shed, right after a block. */
function whileOverloaded(
  shed: () => Promise<Answer>,
  watched: readonly (() => Promise<{ status: number }>)[] = [],
): Promise<{ shed: Answer; statuses: number[] }> {
  return vi.waitFor(
    async () => {
      blockTheEventLoop()
      const [first, answers, last] = await Promise.all([
        shed(),
        Promise.all(watched.map((send) => send())),
        shed(),
      ])
      expect([first.status, last.status]).toEqual([503, 503])
      return { shed: first, statuses: answers.map(({ status }) => status) }
    },
    { timeout: 30_000, interval: 10 },
  )
}

/** Long enough to be felt in the mean over a sample of the event loop's delay. */
function blockTheEventLoop(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800)
}

function databaseOf({ variables }: Place): string {
  return variables['DATABASE_URL'] ?? ''
}

/** The database under another name, so that nobody finds it, until the scope ends. */
async function takenAway(place: Place): Promise<AsyncDisposable> {
  const name = new URL(databaseOf(place)).pathname.slice(1)
  const admin = new pg.Client({ connectionString: inject('postgresUrl') })
  await admin.connect()
  await admin.query(`alter database ${name} with allow_connections false`)
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    name,
  ])
  await admin.query(`alter database ${name} rename to ${name}_away`)
  await admin.query(`alter database ${name}_away with allow_connections true`)
  return {
    async [Symbol.asyncDispose]() {
      await admin.query(`alter database ${name}_away rename to ${name}`)
      await admin.end()
    },
  }
}
