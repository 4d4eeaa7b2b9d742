import { describe, expect, test } from 'vitest'
import { hashOfToken } from '#src/accounts/token.ts'
import { GetMe } from '#src/contract/get-me.ts'
import { SignIn } from '#src/contract/session.ts'
import { days, minutes, seconds } from '#src/lib/duration.ts'
import { dataOf, withoutRequestId } from '#test/support/answers.ts'
import { Client, expectFailure, type Answer } from '#test/support/client.ts'
import { neighbourOf } from '#test/support/neighbour.ts'
import { aMember, PASSWORD, signedIn } from '#test/support/people.ts'
import { ENGINES } from '#test/support/place.ts'
import { OWNER, testApp } from '#test/support/test-app.ts'
import { storedText } from '#test/support/traces.ts'

const WRONG = { ...OWNER, password: 'wrong horse' }

describe.each(ENGINES)('sessions on %s', (engine) => {
  describe('signing in', () => {
    test('answers with the identity and a cookie that scripts and other sites do not get', async () => {
      await using app = await testApp(engine)
      const client = new Client(app.url)

      const answer = await client.post('/api/session', OWNER)

      expect(dataOf(answer, SignIn)).toMatchObject({ ...app.owner, role: 'owner', scopes: ['*'] })
      expect(cookieOf(answer)).toMatchObject({
        earshot_session: expect.stringMatching(/^[\w-]{43}$/),
        httponly: '',
        samesite: 'Lax',
        path: '/',
      })
      expect(cookieOf(answer)).not.toHaveProperty('secure')
      expect(cookieOf(answer)).not.toHaveProperty('domain')
      expect(dataOf(await client.get('/api/v1/me'), GetMe)).toEqual(answer.body.data)
    })

    test('in production the cookie travels over https only', async () => {
      await using app = await testApp(engine, {
        NODE_ENV: 'production',
        EARSHOT_SECRET: 'a secret of enough characters to be one',
      })

      const answer = await new Client(app.url).post('/api/session', OWNER)

      expect(cookieOf(answer)).toMatchObject({ secure: '', httponly: '', samesite: 'Lax' })
    })

    test('a wrong password and an unknown e-mail get the same answer, and no cookie', async () => {
      await using app = await testApp(engine)
      const client = new Client(app.url)

      const wrong = await client.post('/api/session', WRONG)
      const unknown = await client.post('/api/session', { ...OWNER, email: 'no@example.com' })

      expectFailure(wrong, 401, 'UNAUTHORIZED')
      expect(withoutRequestId(wrong)).toEqual(withoutRequestId(unknown))
      expect([...wrong.headers.getSetCookie(), ...unknown.headers.getSetCookie()]).toEqual([])
    })

    test('upper and lower case of the e-mail are the same, those of the password are not', async () => {
      await using app = await testApp(engine)
      const client = new Client(app.url)

      const email = await client.post('/api/session', { ...OWNER, email: ' Owner@EXAMPLE.com ' })
      const password = await client.post('/api/session', {
        ...OWNER,
        password: OWNER.password.toUpperCase(),
      })

      expect(email.status).toBe(200)
      expectFailure(password, 401, 'UNAUTHORIZED')
    })

    test('somebody who belongs to no organization any more cannot', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const { userId, email } = await aMember(app, 'member')

      await owner.send('DELETE', `/api/members/${userId}`)
      const answer = await new Client(app.url).post('/api/session', { email, password: PASSWORD })

      expectFailure(answer, 401, 'UNAUTHORIZED')
    })

    test('token and password are nowhere in the database or the log', async () => {
      await using app = await testApp(engine)
      const client = new Client(app.url)

      const token = cookieOf(await client.post('/api/session', OWNER))['earshot_session'] ?? ''
      await client.post('/api/session', WRONG)
      await client.post('/api/password', { current: OWNER.password, next: 'a new password' })
      await client.get('/api/v1/me')

      const stored = await storedText(app)
      expect(stored).toContain(hashOfToken(token))
      for (const secret of [token, OWNER.password, WRONG.password, 'a new password']) {
        expect(stored).not.toContain(secret)
        expect(app.log()).not.toContain(secret)
      }
    })
  })

  describe('the limit of sign-ins', () => {
    test('after so many failures of one e-mail even the right password is refused', async () => {
      await using app = await testApp(engine, { EARSHOT_LOGIN_RATE_LIMIT: '3' })
      const client = new Client(app.url)
      for (const email of ['owner@example.com', 'OWNER@example.com', ' owner@example.com']) {
        expectFailure(await client.post('/api/session', { ...WRONG, email }), 401, 'UNAUTHORIZED')
      }

      const refused = await client.post('/api/session', OWNER)
      app.advance(seconds(Number(refused.headers.get('retry-after'))))
      const later = await client.post('/api/session', OWNER)

      expectFailure(refused, 429, 'RATE_LIMITED')
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(minutes(15) / 1_000)
      expect(later.status).toBe(200)
    })

    test('attempts that come at once are counted before any is judged', async () => {
      await using app = await testApp(engine, { EARSHOT_LOGIN_RATE_LIMIT: '3' })
      const client = new Client(app.url)

      const answers = await Promise.all(
        Array.from({ length: 12 }, () => client.post('/api/session', WRONG)),
      )

      expect(answers.filter(({ status }) => status === 401)).toHaveLength(3)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(9)
    })

    test('those that succeed do not count', async () => {
      await using app = await testApp(engine, { EARSHOT_LOGIN_RATE_LIMIT: '2' })

      for (let count = 0; count < 5; count += 1) await signedIn(app)
      const failures = [
        await new Client(app.url).post('/api/session', WRONG),
        await new Client(app.url).post('/api/session', WRONG),
        await new Client(app.url).post('/api/session', WRONG),
      ]

      expect(failures.map(({ status }) => status)).toEqual([401, 401, 429])
    })

    test('one e-mail’s failures do not lock out another', async () => {
      await using app = await testApp(engine, { EARSHOT_LOGIN_RATE_LIMIT: '1' })
      const client = new Client(app.url)
      await client.post('/api/session', { ...WRONG, email: 'other@example.com' })

      const answer = await client.post('/api/session', OWNER)

      expect(answer.status).toBe(200)
    })

    test('an address may fail ten times as often, over however many e-mails', async () => {
      await using app = await testApp(engine, {
        EARSHOT_LOGIN_RATE_LIMIT: '1',
        EARSHOT_TRUST_PROXY: 'true',
      })
      const attempt = (email: string, address: string) =>
        new Client(app.url).post(
          '/api/session',
          { ...WRONG, email },
          { headers: { 'x-forwarded-for': address } },
        )

      const failures = await Promise.all(
        Array.from({ length: 10 }, (_, index) => attempt(`${index}@example.com`, '192.0.2.1')),
      )

      for (const failure of failures) expectFailure(failure, 401, 'UNAUTHORIZED')
      expectFailure(await attempt('new@example.com', '192.0.2.1'), 429, 'RATE_LIMITED')
      expectFailure(await attempt('newer@example.com', '192.0.2.2'), 401, 'UNAUTHORIZED')
    })

    test('holds for the current password too, when it is changed', async () => {
      await using app = await testApp(engine, { EARSHOT_LOGIN_RATE_LIMIT: '2' })
      const client = await signedIn(app)
      const guess = { current: WRONG.password, next: 'a new password' }
      const right = { current: OWNER.password, next: 'a new password' }

      await client.post('/api/password', guess)
      await client.post('/api/password', guess)
      const answer = await client.post('/api/password', right)

      expectFailure(answer, 429, 'RATE_LIMITED')
    })
  })

  describe('the end of a session', () => {
    test('comes with signing out, on every process, and the cookie is taken back', async () => {
      await using app = await testApp(engine)
      await using other = await neighbourOf(app)
      const client = await signedIn(app)
      const headers = { cookie: client.cookie ?? '' }
      expect((await new Client(other.url).get('/api/v1/me', { headers })).status).toBe(200)

      const answer = await client.send('DELETE', '/api/session')

      expect(answer.status).toBe(200)
      expect(cookieOf(answer)).toMatchObject({ earshot_session: '', path: '/' })
      expect(Date.parse(cookieOf(answer)['expires'] ?? '')).toBeLessThan(Date.now())
      for (const { url } of [app, other]) {
        expectFailure(await new Client(url).get('/api/v1/me', { headers }), 401, 'UNAUTHORIZED')
      }
    })

    test('of one session leaves the person’s others alone', async () => {
      await using app = await testApp(engine)
      const [first, second] = [await signedIn(app), await signedIn(app)]

      await first.send('DELETE', '/api/session')

      expect((await second.get('/api/v1/me')).status).toBe(200)
    })

    test('comes after thirty days', async () => {
      await using app = await testApp(engine)
      const client = await signedIn(app)

      app.advance(days(30) - minutes(1))
      const before = await client.get('/api/v1/me')
      app.advance(minutes(1))
      const after = await client.get('/api/v1/me')

      expect(before.status).toBe(200)
      expectFailure(after, 401, 'UNAUTHORIZED')
    })

    test('a token that never was gets the same answer as none', async () => {
      await using app = await testApp(engine)
      const forged = { cookie: `earshot_session=${'x'.repeat(43)}` }

      const unknown = await new Client(app.url).get('/api/v1/me', { headers: forged })
      const none = await new Client(app.url).get('/api/v1/me')

      expectFailure(unknown, 401, 'UNAUTHORIZED')
      expect(withoutRequestId(unknown)).toEqual(withoutRequestId(none))
    })
  })

  describe('the origin of a request', () => {
    test('must be our own for a write with a session: any other is refused and changes nothing', async () => {
      await using app = await testApp(engine)
      const client = await signedIn(app)
      const foreign = ['https://evil.example', 'null', '', app.url.replace('http:', 'https:')]

      for (const origin of [undefined, ...foreign, `${app.url}0`, `${app.url}.evil.example`]) {
        const refused = await signOutFrom(app.url, client, origin)

        expect({ origin, status: refused.status }).toEqual({ origin, status: 403 })
        expect(await refused.json()).toMatchObject({ error: { code: 'FORBIDDEN' } })
      }
      expect((await client.get('/api/v1/me')).status).toBe(200)
      expect((await signOutFrom(app.url, client, app.url)).status).toBe(200)
    })

    test('may be that of EARSHOT_PUBLIC_URL', async () => {
      await using app = await testApp(engine, {
        EARSHOT_PUBLIC_URL: 'https://ear.example:8443/dashboard',
      })
      const client = await signedIn(app)

      const other = await signOutFrom(app.url, client, 'https://ear.example')
      const own = await signOutFrom(app.url, client, 'https://ear.example:8443')

      expect([other.status, own.status]).toEqual([403, 200])
    })

    test('does not matter to a read', async () => {
      await using app = await testApp(engine)
      const client = await signedIn(app)

      const answer = await client.get('/api/v1/me', {
        headers: { origin: 'https://evil.example' },
      })

      expect(answer.status).toBe(200)
    })

    test('must not be another site’s for signing in, and may be missing', async () => {
      await using app = await testApp(engine)
      const attempt = (headers: Record<string, string>) =>
        fetch(`${app.url}/api/session`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(OWNER),
        })

      const foreign = await attempt({ origin: 'https://evil.example' })
      const opaque = await attempt({ origin: 'null' })
      const program = await attempt({})

      expect([foreign.status, opaque.status, program.status]).toEqual([403, 403, 200])
      expect([...foreign.headers.getSetCookie(), ...opaque.headers.getSetCookie()]).toEqual([])
    })
  })

  describe('changing the password', () => {
    const change = { current: OWNER.password, next: 'a new password' }

    test('makes the new one the only one', async () => {
      await using app = await testApp(engine)
      const client = await signedIn(app)

      const answer = await client.post('/api/password', change)

      expect(answer.status).toBe(200)
      expectFailure(await new Client(app.url).post('/api/session', OWNER), 401, 'UNAUTHORIZED')
      await signedIn(app, { ...OWNER, password: change.next })
    })

    test('ends the person’s other sessions, keeps this one, and touches nobody else’s', async () => {
      await using app = await testApp(engine)
      const { client: colleague } = await aMember(app, 'member')
      const [here, there] = [await signedIn(app), await signedIn(app)]

      await here.post('/api/password', change)

      expect((await here.get('/api/v1/me')).status).toBe(200)
      expectFailure(await there.get('/api/v1/me'), 401, 'UNAUTHORIZED')
      expect((await colleague.get('/api/v1/me')).status).toBe(200)
    })

    test('leaves no session behind that was opened with the old one meanwhile', async () => {
      await using app = await testApp(engine, { EARSHOT_LOGIN_RATE_LIMIT: '0' })
      const client = await signedIn(app)
      const others: Client[] = []
      const changed = new AbortController()
      const keepSigningIn = async (): Promise<void> => {
        while (!changed.signal.aborted) {
          const other = new Client(app.url)
          others.push(other)
          await other.post('/api/session', OWNER)
        }
      }

      const signingIn = [keepSigningIn(), keepSigningIn(), keepSigningIn()]
      await client.post('/api/password', change)
      changed.abort()
      await Promise.all(signingIn)
      const answers = await Promise.all(others.map((other) => other.get('/api/v1/me')))

      expect(answers.map(({ status }) => status)).toEqual(others.map(() => 401))
    })

    test('wants the current one, and says which field is wrong', async () => {
      await using app = await testApp(engine)
      const client = await signedIn(app)

      const answer = await client.post('/api/password', { ...change, current: WRONG.password })

      expectFailure(answer, 400, 'INVALID_REQUEST')
      expect(answer.body.error?.details).toEqual([
        { path: 'current', message: expect.stringMatching(/\S/) },
      ])
      await signedIn(app)
    })

    test('wants at least eight and at most 256 characters', async () => {
      await using app = await testApp(engine)
      const client = await signedIn(app)
      const attempt = (next: string) => client.post('/api/password', { ...change, next })

      const [short, long] = [await attempt('1234567'), await attempt('x'.repeat(257))]
      const longest = await attempt('x'.repeat(256))

      for (const refused of [short, long]) {
        expectFailure(refused, 400, 'INVALID_REQUEST')
        expect(refused.body.error?.details?.map(({ path }) => path)).toEqual(['next'])
      }
      expect(longest.status).toBe(200)
    })
  })
})

/** The one cookie of an answer: its name and value, and its attributes in lower case. */
function cookieOf({ headers }: Answer): Record<string, string> {
  const cookies = headers.getSetCookie()
  expect(cookies).toHaveLength(1)
  const parts = (cookies[0] ?? '').split('; ').map((part): [string, string] => {
    const [name = '', value = ''] = part.split('=', 2)
    return [name.toLowerCase(), value]
  })
  return Object.fromEntries(parts)
}

function signOutFrom(url: string, client: Client, origin: string | undefined): Promise<Response> {
  return fetch(`${url}/api/session`, {
    method: 'DELETE',
    headers: { cookie: client.cookie ?? '', ...(origin === undefined ? {} : { origin }) },
  })
}
