// What every answer carries, whoever asks and whatever comes of it.

import { describe, expect, test } from 'vitest'
import { ROUTES } from '#src/http/routes/registry.ts'
import { Client, expectFailure } from '#test/support/client.ts'
import { signedIn } from '#test/support/people.ts'
import { ENGINES } from '#test/support/place.ts'
import { head, sendRaw } from '#test/support/raw-http.ts'
import { testApp } from '#test/support/test-app.ts'
import { linesOf } from '#test/support/traces.ts'

const GARBAGE = [
  'garbage\r\n\r\n',
  'GET /v1/me HTTP/9.9\r\nhost: earshot\r\n\r\n',
  'BREW /v1/me HTTP/1.1\r\nhost: earshot\r\n\r\n',
  'GET /v1/me HTTP/1.1\r\nhost: earshot\r\nno colon\r\n\r\n',
  'POST /api/session HTTP/1.1\r\nhost: earshot\r\ncontent-length: two\r\n\r\n{}',
  'POST /api/session HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n',
]

describe.each(ENGINES)('every answer on %s', (engine) => {
  describe('security headers', () => {
    test('are on every answer that a route gives, good or bad', async () => {
      await using app = await testApp(engine, { EARSHOT_RATE_LIMIT: '1' })
      const owner = await signedIn(app)
      const { key } = await app.createKey()

      const answers = [
        await owner.get('/v1/me', { key }),
        await owner.get('/v1/me', { key }),
        await owner.get('/v1/me', { key: 'wrong' }),
        await owner.get('/nothing'),
        await owner.send('PUT', '/v1/me'),
        await owner.post('/api/session', '{'),
        await owner.get('/api/keys'),
        await owner.get('/healthz'),
        await owner.get('/readyz'),
        await owner.get('/openapi.json'),
      ]

      const statuses = answers.map(({ status }) => status)
      expect(statuses).toEqual([200, 429, 401, 404, 405, 400, 200, 200, 200, 200])
      for (const { headers } of answers) expectSecurityHeaders(headers)
    })

    test('are on the answer to a path that cannot be decoded', async () => {
      await using app = await testApp(engine)

      const { headers } = await new Client(app.url).get('/%zz')

      expectSecurityHeaders(headers)
    })

    test('are on the answer to what is no HTTP', async () => {
      await using app = await testApp(engine)

      const { headers } = await sendRaw(app.url, 'garbage\r\n\r\n')

      expectSecurityHeaders(headers)
    })

    test('tell browsers to stay with https in production, and only there', async () => {
      await using app = await testApp(engine)
      await using live = await testApp(engine, {
        NODE_ENV: 'production',
        EARSHOT_SECRET: 'a secret of enough characters to be one',
      })

      const [here, there] = [await fetch(app.url), await fetch(live.url)]

      expect(here.headers.has('strict-transport-security')).toBe(false)
      expect(there.headers.get('strict-transport-security')).toMatch(/^max-age=\d{8,}/)
    })

    test('allow no other site to read anything', async () => {
      await using app = await testApp(engine)
      const { key } = await app.createKey()

      const { headers } = await new Client(app.url).get('/v1/me', {
        key,
        headers: { origin: 'https://evil.example' },
      })

      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    })
  })

  describe('x-request-id', () => {
    test('is the one in the error and in the log, and no two are the same', async () => {
      await using app = await testApp(engine)
      const client = new Client(app.url)

      const answers = await Promise.all(Array.from({ length: 20 }, () => client.get('/nothing')))

      const ids = answers.map(({ headers }) => headers.get('x-request-id'))
      expect(new Set(ids).size).toBe(20)
      for (const answer of answers) {
        expectFailure(answer, 404, 'NOT_FOUND')
        expect(await linesOf(app, answer)).toHaveLength(1)
      }
    })

    test('is ours, not one that the caller sends', async () => {
      await using app = await testApp(engine)

      const { headers } = await new Client(app.url).get('/healthz', {
        headers: { 'x-request-id': 'mine', 'request-id': 'mine' },
      })

      expect(headers.get('x-request-id')).toMatch(/^req_\w+$/)
    })
  })

  describe('HEAD', () => {
    test('answers as GET does, without the body', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const { key } = await app.createKey()
      const headers = { authorization: `Bearer ${key}`, cookie: owner.cookie ?? '' }
      const operations = ROUTES.map(({ operation }) => operation)
      const readable = operations.filter(({ method }) => method === 'GET')
      const paths = [...readable.map(({ path }) => path), '/healthz', '/openapi.json', '/docs']

      for (const path of paths) {
        const got = await fetch(app.url + path, { headers })
        const length = (await got.arrayBuffer()).byteLength
        const asked = await fetch(app.url + path, { method: 'HEAD', headers })

        // Nothing has the id `{id}`.
        expect([path, asked.status]).toEqual([path, path.includes('{') ? 404 : 200])
        expect(asked.headers.get('content-length')).toBe(String(length))
        expect(asked.headers.get('content-type')).toBe(got.headers.get('content-type'))
        expect(await asked.text()).toBe('')
      }
    })

    test('is refused where there is nothing to get', async () => {
      await using app = await testApp(engine)

      const answer = await fetch(`${app.url}/api/session`, { method: 'HEAD' })

      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'DELETE, POST'])
    })
  })

  describe('bad HTTP', () => {
    test('gets the envelope of 400', async () => {
      await using app = await testApp(engine)

      for (const garbage of GARBAGE) {
        const answer = await sendRaw(app.url, garbage)

        expectFailure(answer, 400, 'INVALID_REQUEST')
        expect(answer.headers.get('connection')).toBe('close')
      }
    })

    test('headers without end get the envelope too', async () => {
      await using app = await testApp(engine)
      const headers = ['host: earshot', `x-long: ${'x'.repeat(20_000)}`]

      const answer = await sendRaw(app.url, head('GET /healthz HTTP/1.1', headers))

      expectFailure(answer, 431, 'INVALID_REQUEST')
    })

    test('a request that names no host gets the envelope too', async () => {
      await using app = await testApp(engine)

      const answer = await sendRaw(app.url, head('GET /healthz HTTP/1.1', []))

      expectFailure(answer, 400, 'INVALID_REQUEST')
    })

    test('a request that expects what we do not know gets the envelope too', async () => {
      await using app = await testApp(engine)
      const headers = ['host: earshot', 'expect: a-miracle']

      const answer = await sendRaw(app.url, head('GET /healthz HTTP/1.1', headers))

      expect([answer.status, answer.body.success]).toEqual([417, false])
      expect(answer.body.error?.requestId).toBe(answer.headers.get('x-request-id'))
    })

    test('leaves the next caller unharmed', async () => {
      await using app = await testApp(engine)
      await sendRaw(app.url, 'garbage\r\n\r\n')

      const answer = await new Client(app.url).get('/healthz')

      expect(answer.status).toBe(200)
    })
  })
})

function expectSecurityHeaders(headers: Headers): void {
  const policy = headers.get('content-security-policy')?.split('; ')
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ]),
  )
  expect(Object.fromEntries(headers)).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
  })
  expect(headers.has('server')).toBe(false)
  expect(headers.has('x-powered-by')).toBe(false)
}
