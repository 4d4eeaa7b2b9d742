// The table of errors, from 400 to 415. Limits, outages and bad keys have files of their own.

import { describe, expect, test } from 'vitest'
import { ROUTES } from '#src/http/routes/registry.ts'
import { newId } from '#src/lib/id.ts'
import { invalidPaths, withoutRequestId } from '#test/support/answers.ts'
import { Client, expectFailure } from '#test/support/client.ts'
import { aMember, aStranger, signedIn } from '#test/support/people.ts'
import { ENGINES } from '#test/support/place.ts'
import { head, sendRaw } from '#test/support/raw-http.ts'
import { OWNER, testApp } from '#test/support/test-app.ts'

const BODY_LIMIT_BYTES = 256 * 1_024

describe.each(ENGINES)('errors on %s', (engine) => {
  describe('400 INVALID_REQUEST', () => {
    test('names every invalid field at once, and each unknown one for itself', async () => {
      await using app = await testApp(engine)

      const answer = await new Client(app.url).post('/api/session', {
        email: 'no address',
        password: 5,
        remember: true,
        colour: 'red',
      })

      expectFailure(answer, 400, 'INVALID_REQUEST')
      expect(invalidPaths(answer).sort()).toEqual(['colour', 'email', 'password', 'remember'])
      for (const { path, message } of answer.body.error?.details ?? []) {
        expect(message).toMatch(/\S\.$/)
        expect(answer.body.error?.message).toContain(path)
      }
    })

    test('names the invalid fields of query and body at once', async () => {
      await using app = await testApp(engine)

      const answer = await new Client(app.url).post('/api/session?remember=true', {
        email: OWNER.email,
        colour: 'red',
      })

      expectFailure(answer, 400, 'INVALID_REQUEST')
      expect(invalidPaths(answer).sort()).toEqual(['colour', 'password', 'remember'])
    })

    test('refuses unknown query parameters by name, whatever they are called', async () => {
      await using app = await testApp(engine)
      const { key } = await app.createKey()

      const answer = await new Client(app.url).get('/v1/me?limt=1&__proto__=2&a[b]=3', { key })

      expectFailure(answer, 400, 'INVALID_REQUEST')
      expect(invalidPaths(answer)).toEqual(['limt', '__proto__', 'a[b]'])
    })

    test('says which required fields are missing', async () => {
      await using app = await testApp(engine)

      const answer = await new Client(app.url).post('/api/session', {})

      expectFailure(answer, 400, 'INVALID_REQUEST')
      expect(invalidPaths(answer)).toEqual(['email', 'password'])
    })

    test('names a field inside a list by its place', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)

      const answer = await owner.post('/api/keys', { name: 'a', scopes: ['*', 'everything'] })

      expectFailure(answer, 400, 'INVALID_REQUEST')
      expect(invalidPaths(answer)).toEqual(['scopes.1'])
    })

    test('refuses a body that is JSON but no object', async () => {
      await using app = await testApp(engine)
      const client = new Client(app.url)

      for (const body of ['null', '[]', '"text"', '1', 'true']) {
        expectFailure(await client.post('/api/session', body), 400, 'INVALID_REQUEST')
      }
    })

    test('refuses a request without the body it needs', async () => {
      await using app = await testApp(engine)

      const answer = await new Client(app.url).send('POST', '/api/session')

      expectFailure(answer, 400, 'INVALID_REQUEST')
    })

    test('refuses a path that cannot be decoded', async () => {
      await using app = await testApp(engine)

      const answer = await new Client(app.url).get('/%zz')

      expectFailure(answer, 400, 'INVALID_REQUEST')
    })

    test('a NUL character is the caller’s mistake, not ours', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)

      const answers = [
        await owner.send('DELETE', '/api/keys/%00'),
        await owner.send('DELETE', '/api/members/usr_%00'),
        await owner.send('PATCH', '/api/members/usr_%00', { body: { role: 'viewer' } }),
        await owner.send('DELETE', '/api/invitations/%00'),
        await owner.post('/api/keys', { name: 'a\0b' }),
        await owner.send('PUT', '/api/session/organization', { body: { organizationId: '\0' } }),
        await owner.post('/api/invitations/accept', { token: '\0.x', password: 'long enough' }),
      ]

      const others = answers.filter(({ status }) => ![400, 401, 404].includes(status))
      expect(others.map(({ body }) => body)).toEqual([])
    })
  })

  describe('400 MALFORMED_JSON', () => {
    test('refuses what is no JSON', async () => {
      await using app = await testApp(engine)
      const client = new Client(app.url)

      for (const body of ['', '{', '{"email": "a@example.com",}', '{} {}', "{'email': 1}"]) {
        expectFailure(await client.post('/api/session', body), 400, 'MALFORMED_JSON')
      }
    })

    test('refuses what is meant for an object’s prototype', async () => {
      await using app = await testApp(engine)
      const client = new Client(app.url)

      for (const body of [
        '{"__proto__": {"admin": true}}',
        '{"email": {"__proto__": 1}}',
        '{"constructor": {"prototype": {"admin": true}}}',
      ]) {
        expectFailure(await client.post('/api/session', body), 400, 'MALFORMED_JSON')
      }
    })
  })

  describe('401 UNAUTHORIZED', () => {
    test('whoever calls must be known before anything else is looked at', async () => {
      await using app = await testApp(engine)
      const client = new Client(app.url)
      const operations = ROUTES.map(({ operation }) => operation)

      for (const { method, path } of operations.filter(({ access }) => access.kind !== 'public')) {
        const answer = await client.send(method, `${path}?unknown=1`)

        expectFailure(answer, 401, 'UNAUTHORIZED')
        expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      }
    })
  })

  describe('403 FORBIDDEN', () => {
    test('a role that lacks the right', async () => {
      await using app = await testApp(engine)
      const { client } = await aMember(app, 'viewer')

      const answer = await client.get('/api/keys')

      expectFailure(answer, 403, 'FORBIDDEN')
    })

    test('a write with a session from another site', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)

      const answer = await owner.post(
        '/api/keys',
        { name: 'a' },
        { headers: { origin: 'https://evil.example' } },
      )

      expectFailure(answer, 403, 'FORBIDDEN')
    })
  })

  describe('404 NOT_FOUND', () => {
    test('a path that nobody serves', async () => {
      await using app = await testApp(engine)
      const client = new Client(app.url)
      const long = `/${'x'.repeat(2_000)}`

      for (const path of ['/v1', '/v1/me/', '/V1/ME', '/v1/nothing', '/api', '/api/v2/me', long]) {
        for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'PROPFIND']) {
          expectFailure(await client.send(method, path), 404, 'NOT_FOUND')
        }
      }
    })

    test('an unknown path is said before the body is looked at', async () => {
      await using app = await testApp(engine)

      const answer = await new Client(app.url).post('/nothing', '{', {
        headers: { 'content-type': 'text/plain' },
      })

      expectFailure(answer, 404, 'NOT_FOUND')
    })

    test('a thing that never was, however long its id', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)

      for (const things of ['keys', 'members', 'invitations']) {
        for (const id of ['x', 'x'.repeat(101), 'x'.repeat(2_000)]) {
          expectFailure(await owner.send('DELETE', `/api/${things}/${id}`), 404, 'NOT_FOUND')
        }
      }
    })

    test('another organization’s thing is as missing as one that never was', async () => {
      await using app = await testApp(engine)
      const { id } = await app.createKey()
      const { client } = await aStranger(app)

      const foreign = await client.send('DELETE', `/api/keys/${id}`)
      const missing = await client.send('DELETE', `/api/keys/${newId('key', Date.now())}`)

      expectFailure(foreign, 404, 'NOT_FOUND')
      expect(withoutRequestId(foreign)).toEqual(withoutRequestId(missing))
    })
  })

  describe('405 METHOD_NOT_ALLOWED', () => {
    test('every path of the contract says which methods it knows', async () => {
      await using app = await testApp(engine)
      const client = new Client(app.url)

      for (const [path, methods] of methodsByPath()) {
        const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']
        for (const method of others.filter((other) => !methods.includes(other))) {
          const answer = await client.send(method, path)

          expectFailure(answer, 405, 'METHOD_NOT_ALLOWED')
          expect(answer.headers.get('allow')?.split(', ')).toEqual(methods)
        }
      }
    })

    test('methods that HTTP knows and we do not are no exception', async () => {
      await using app = await testApp(engine)

      const answer = await new Client(app.url).send('PROPFIND', '/v1/me')

      expectFailure(answer, 405, 'METHOD_NOT_ALLOWED')
      expect(answer.headers.get('allow')).toBe('GET, HEAD')
    })

    test('nobody has to sign in or send a body to learn it', async () => {
      await using app = await testApp(engine)

      const answer = await new Client(app.url).send('PUT', '/api/keys', {
        body: '{',
        headers: { 'content-type': 'text/plain' },
      })

      expectFailure(answer, 405, 'METHOD_NOT_ALLOWED')
      expect(answer.headers.get('allow')).toBe('GET, HEAD, POST')
    })
  })

  describe('409 CONFLICT', () => {
    test('the state forbids it: a member cannot be invited again', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)

      const answer = await owner.post('/api/invitations', { email: OWNER.email, role: 'viewer' })

      expectFailure(answer, 409, 'CONFLICT')
    })
  })

  describe('413 PAYLOAD_TOO_LARGE', () => {
    test('a body of 256 KiB is read, one of a byte more is not', async () => {
      await using app = await testApp(engine)
      const client = new Client(app.url)

      const allowed = await client.post('/api/session', credentialsOf(BODY_LIMIT_BYTES))
      const refused = await client.post('/api/session', credentialsOf(BODY_LIMIT_BYTES + 1))

      expect(allowed.status).toBe(200)
      expectFailure(refused, 413, 'PAYLOAD_TOO_LARGE')
    })

    test('a body that does not say its length is counted as it comes', async () => {
      await using app = await testApp(engine)
      const body = credentialsOf(BODY_LIMIT_BYTES + 1)
      const headers = [
        'host: earshot',
        'content-type: application/json',
        'transfer-encoding: chunked',
      ]

      const answer = await sendRaw(
        app.url,
        `${head('POST /api/session HTTP/1.1', headers)}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      )

      expectFailure(answer, 413, 'PAYLOAD_TOO_LARGE')
    })
  })

  describe('415 UNSUPPORTED_MEDIA_TYPE', () => {
    test('refuses a body that does not say it is JSON', async () => {
      await using app = await testApp(engine)
      const client = new Client(app.url)

      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/jsonp',
        '',
      ]) {
        const headers = { 'content-type': type }
        const answer = await client.post('/api/session', OWNER, { headers })

        expectFailure(answer, 415, 'UNSUPPORTED_MEDIA_TYPE')
      }
    })

    test('takes JSON however it is spelt', async () => {
      await using app = await testApp(engine)
      const client = new Client(app.url)

      for (const type of [
        'application/json',
        'application/json; charset=utf-8',
        'Application/JSON',
      ]) {
        const headers = { 'content-type': type }
        const answer = await client.post('/api/session', OWNER, { headers })

        expect(answer.status).toBe(200)
      }
    })
  })
})

/** Every path a client can call, with the methods it knows in the order of `Allow`. */
function methodsByPath(): [string, string[]][] {
  const doors = ROUTES.flatMap(({ operation: { access, method, path } }) => {
    const url = path.replaceAll(/\{\w+\}/g, 'some-id')
    const paths = access.kind === 'api' ? [url, `/api${url}`] : [url]
    return paths.map((door) => ({ door, method }))
  })
  return [...Map.groupBy(doors, ({ door }) => door)].map(([door, known]) => {
    const methods = known.map(({ method }): string => method)
    return [door, [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort()]
  })
}

/** The right credentials in a body of exactly so many bytes. */
function credentialsOf(bytes: number): string {
  return JSON.stringify(OWNER).padEnd(bytes, ' ')
}
