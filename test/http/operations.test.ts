// The routes for whoever runs the service: alive, ready, measured, described; and what it logs.

import { describe, expect, test } from 'vitest'
import { EVENT_KINDS } from '#src/contract/event.ts'
import { minutes } from '#src/lib/duration.ts'
import { Client, expectFailure } from '#test/support/client.ts'
import { relayTo } from '#test/support/database-relay.ts'
import { neighbourOf } from '#test/support/neighbour.ts'
import { invited, signedIn } from '#test/support/people.ts'
import { ENGINES } from '#test/support/place.ts'
import { OWNER, testApp } from '#test/support/test-app.ts'
import { linesOf, logLines } from '#test/support/traces.ts'

describe.each(ENGINES)('operating on %s', (engine) => {
  describe('/healthz', () => {
    test('says that the process is alive, to everybody', async () => {
      await using app = await testApp(engine)

      const { status, body } = await new Client(app.url).get('/healthz')

      expect([status, body]).toEqual([200, { success: true, data: { status: 'alive' } }])
    })
  })

  describe('/readyz', () => {
    test('says that the service is ready, and on which database', async () => {
      await using app = await testApp(engine)

      const { status, body } = await new Client(app.url).get('/readyz')

      expect(status).toBe(200)
      expect(body).toEqual({ success: true, data: { status: 'ready', database: engine } })
    })

    test('says no while migrations are missing', async () => {
      await using app = await testApp(engine)
      await app.app.db.deleteFrom('migration').execute()

      const answer = await new Client(app.url).get('/readyz')

      expectFailure(answer, 503, 'UNAVAILABLE')
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    })

    test('says yes when a newer release has gone further', async () => {
      await using app = await testApp(engine)
      const ahead = { version: 9_999, name: 'of-tomorrow', applied_at: 0 }
      await app.app.db.insertInto('migration').values(ahead).execute()

      const answer = await new Client(app.url).get('/readyz')

      expect(answer.status).toBe(200)
    })
  })

  describe('/metrics', () => {
    test('counts requests by method, route and status', async () => {
      await using app = await testApp(engine)
      const client = await signedIn(app)
      const { key, id } = await app.createKey()
      await client.get('/v1/me', { key })
      await client.get('/v1/me', { key })
      await client.get('/v1/me', { key: 'wrong' })
      await client.get('/v1/me?unknown=1', { key })
      await client.send('DELETE', `/api/keys/${id}`)
      await client.get('/nothing/of/the/kind')
      await client.get('/nothing/else')

      const samples = await metricsOf(app.url)

      const count = (method: string, route: string, status: number) =>
        samples.get(
          `earshot_http_requests_total{method="${method}",route="${route}",status="${status}"}`,
        )
      expect(count('GET', '/v1/me', 200)).toBe(2)
      expect(count('GET', '/v1/me', 401)).toBe(1)
      expect(count('GET', '/v1/me', 400)).toBe(1)
      expect(count('DELETE', '/api/keys/:id', 200)).toBe(1)
      const unknown = [...samples].filter(([name]) => name.includes('status="404"'))
      expect(unknown).toEqual([[expect.not.stringContaining('nothing'), 2]])
      const durations = 'earshot_http_request_duration_seconds'
      expect(samples.get(`${durations}_count{method="GET",route="/v1/me"}`)).toBe(4)
      expect(samples.get(`${durations}_bucket{method="GET",route="/v1/me",le="+Inf"}`)).toBe(4)
      expect(samples.get(`${durations}_sum{method="GET",route="/v1/me"}`)).toBeGreaterThan(0)
    })

    test('tells of the process, the database and the queues', async () => {
      await using app = await testApp(engine)
      const now = app.app.clock()
      const job = { queue: 'work', name: 'a_job', payload: '{}', lease: null, created_at: now }
      await app.app.db
        .insertInto('job')
        .values([
          { ...job, id: '1', run_at: now - minutes(5), attempts: 1, last_error: 'it broke' },
          { ...job, id: '2', run_at: now - minutes(1), attempts: 0, last_error: null },
          { ...job, id: '3', run_at: now + minutes(9), attempts: 0, last_error: null },
        ])
        .execute()

      const samples = await metricsOf(app.url)

      expect(samples.get('earshot_jobs_due{queue="work"}')).toBe(2)
      expect(samples.get('earshot_jobs_failing{queue="work"}')).toBe(1)
      expect(samples.get('earshot_jobs_oldest_seconds{queue="work"}')).toBeGreaterThanOrEqual(300)
      expect(samples.get('earshot_database_connections{state="open"}')).toBeGreaterThan(0)
      expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(0)
    })

    test('a queue that has become empty has nothing due any more', async () => {
      await using app = await testApp(engine)
      const now = app.app.clock()
      const job = { queue: 'work', id: '1', name: 'a_job', payload: '{}', lease: null, attempts: 1 }
      const times = { run_at: now - minutes(5), created_at: now - minutes(5) }
      const values = { ...job, ...times, last_error: 'it broke' }
      await app.app.db.insertInto('job').values(values).execute()
      await metricsOf(app.url)

      await app.app.db.deleteFrom('job').execute()
      const samples = await metricsOf(app.url)

      for (const name of ['due', 'failing', 'oldest_seconds']) {
        expect(samples.get(`earshot_jobs_${name}{queue="work"}`) ?? 0).toBe(0)
      }
    })

    test('hold no secret', async () => {
      await using app = await testApp(engine)
      const client = await signedIn(app)
      const { key } = await app.createKey()
      await client.get(`/v1/me?token=${key}`, { key })
      await client.get(`/${key}`)
      await client.send('DELETE', `/api/keys/${key}`)

      const text = await (await fetch(`${app.url}/metrics`)).text()

      for (const secret of [key, tokenOf(client), OWNER.email, app.owner.organizationId]) {
        expect(text).not.toContain(secret)
      }
    })

    test('with EARSHOT_METRICS_TOKEN they want it as a bearer token', async () => {
      const token = 'a token of some length'
      await using app = await testApp(engine, { EARSHOT_METRICS_TOKEN: token })
      const client = new Client(app.url)
      const { key } = await app.createKey()

      const refused = [
        await client.get('/metrics'),
        await client.get('/metrics', { key }),
        await client.get('/metrics', { key: `${token}x` }),
        await client.get('/metrics', { headers: { authorization: token } }),
      ]
      const headers = { authorization: `Bearer ${token}` }
      const given = await fetch(`${app.url}/metrics`, { headers })

      for (const answer of refused) {
        expectFailure(answer, 401, 'UNAUTHORIZED')
        expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      }
      expect(given.status).toBe(200)
      expect(given.headers.get('content-type')).toMatch(/^text\/plain; version=/)
    })
  })

  describe('/openapi.json and /docs', () => {
    test('the description of the API is served', async () => {
      await using app = await testApp(engine)

      const answer = await fetch(`${app.url}/openapi.json`)

      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
      const { openapi, paths } = (await answer.json()) as { openapi: string; paths: object }
      expect(openapi).toBe('3.1.0')
      expect(Object.keys(paths)).toContain('/v1/me')
    })

    test('the reference is a page that needs no other host and no script', async () => {
      await using app = await testApp(engine)

      const answer = await fetch(`${app.url}/docs`)

      const html = await answer.text()
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(html).toContain('/v1/me')
      const targets = [...html.matchAll(/\b(?:src|href|action)="([^"]*)"/g)].map(([, url]) => url)
      expect(targets.length).toBeGreaterThan(0)
      expect(targets.filter((url) => !/^[/#](?!\/)/.test(url ?? ''))).toEqual([])
      expect(html).not.toMatch(/<script|<iframe|\son\w+=|style="/i)
      const policy = answer.headers.get('content-security-policy')
      expect(policy).toContain("default-src 'none'")
      expect(policy).not.toMatch(/https?:|unsafe|\*/)
    })

    test('the reference tells of every kind of event that webhooks are sent', async () => {
      await using app = await testApp(engine)

      const html = await (await fetch(`${app.url}/docs`)).text()

      for (const kind of EVENT_KINDS) expect(html).toContain(`<article id="event-${kind}">`)
    })

    test('everything the page refers to is there', async () => {
      await using app = await testApp(engine)
      const html = await (await fetch(`${app.url}/docs`)).text()
      const targets = [...html.matchAll(/\b(?:src|href)="([^"]*)"/g)].map(([, url]) => url ?? '')

      for (const target of new Set(targets)) {
        if (target.startsWith('#')) expect(html).toContain(`id="${target.slice(1)}"`)
        else expect([target, (await fetch(app.url + target)).status]).toEqual([target, 200])
      }
      const style = await (await fetch(`${app.url}/docs/style.css`)).text()
      expect(style).not.toMatch(/@import|https?:|url\(/)
    })
  })

  describe('the log', () => {
    test('has one line for each request, which says what and how long', async () => {
      await using app = await testApp(engine)
      const client = new Client(app.url)
      const { id, key } = await app.createKey()

      const answers = [
        await client.get('/v1/me', { key }),
        await client.get('/v1/me'),
        await client.send('DELETE', '/api/keys/some-id'),
        await client.get('/nothing'),
        await client.send('PUT', '/v1/me'),
      ]

      const lines = await Promise.all(answers.map((answer) => linesOf(app, answer)))
      const line = { msg: 'request', level: 30, durationMs: expect.any(Number) }
      const expected = [
        { method: 'GET', route: '/v1/me', status: 200 },
        { method: 'GET', route: '/v1/me', status: 401 },
        { method: 'DELETE', route: '/api/keys/:id', status: 401 },
        { method: 'GET', route: expect.not.stringContaining('nothing'), status: 404 },
        { method: 'PUT', route: '/v1/me', status: 405 },
      ]
      expect(lines).toEqual(expected.map((each) => [expect.objectContaining({ ...line, ...each })]))
      const { organizationId } = app.owner
      expect(lines[0]).toMatchObject([{ organizationId, keyId: id }])
    })

    test('has a line for what never reaches a route, too', async () => {
      await using app = await testApp(engine)
      const client = new Client(app.url)

      const answers = [
        await client.send('PROPFIND', '/v1/me'),
        await client.get('/%zz'),
        await client.send('DELETE', `/api/keys/${'x'.repeat(200)}`),
      ]

      const logged = logLines(app).filter(({ msg }) => msg === 'request')
      expect(logged.map(({ requestId }) => requestId)).toEqual(
        answers.map(({ body }) => body.error?.requestId),
      )
    })

    test('holds no key, token, password, e-mail, query value, path or header', async () => {
      await using app = await testApp(engine)
      const { key } = await app.createKey()
      const client = await signedIn(app)
      const { token } = await invited(client, 'guest@example.com')
      const headers = { 'user-agent': 'secret-agent', referer: 'https://secret-referer.example' }

      await client.get('/v1/me?q=secret-query', { key, headers })
      await client.get('/secret-path', { key, headers })
      await client.send('DELETE', '/api/keys/secret-id', { headers })
      await client.send('DELETE', `/api/keys/${'secret-long-id'.repeat(20)}`, { headers })
      await client.post('/api/session', { ...OWNER, password: 'secret-password' }, { headers })
      await client.post('/api/session', '{"secret-json', { headers })
      await client.post('/api/invitations/accept', { token, password: 'secret-password' })
      await linesOf(app, await client.get('/healthz'))

      const log = app.log()
      expect(log).toContain('/api/invitations/accept')
      for (const secret of [key, tokenOf(client), token, OWNER.password, OWNER.email]) {
        expect(log).not.toContain(secret)
      }
      expect(log).not.toMatch(/secret|guest@|bearer|cookie|127\.0\.0\.1/i)
    })
  })
})

describe('/readyz on postgres', () => {
  test('says no while the database is away, and yes when it is back', async () => {
    await using app = await testApp('postgres')
    await using relay = await relayTo(app.place.variables['DATABASE_URL'] ?? '')
    await using service = await neighbourOf(app, { variables: { DATABASE_URL: relay.url } })
    const client = new Client(service.url)

    await relay.cut()
    const away = await client.get('/readyz')
    const alive = await client.get('/healthz')
    await relay.mend()
    const back = await client.get('/readyz')

    expectFailure(away, 503, 'UNAVAILABLE')
    expect([alive.status, back.status]).toEqual([200, 200])
  })
})

/** Every sample of the exposition format, by its name and labels. */
async function metricsOf(url: string): Promise<Map<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    samples.map((line) => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end + 1))]
    }),
  )
}

function tokenOf(client: Client): string {
  return client.cookie?.split('=')[1] ?? ''
}
