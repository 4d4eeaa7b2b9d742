import { describe, expect, test } from 'vitest'
import { GetMe } from '#src/contract/get-me.ts'
import {
  AcceptInvitation,
  ListInvitations,
  ListMembers,
  RevokeInvitation,
} from '#src/contract/member.ts'
import { ListOrganizations } from '#src/contract/session.ts'
import { days, minutes } from '#src/lib/duration.ts'
import { newId } from '#src/lib/id.ts'
import { dataOf, invalidPaths, withoutRequestId } from '#test/support/answers.ts'
import { Client, expectFailure, type Answer } from '#test/support/client.ts'
import { aMember, aStranger, invited, PASSWORD, signedIn } from '#test/support/people.ts'
import { ENGINES } from '#test/support/place.ts'
import { OWNER, testApp, type TestApp } from '#test/support/test-app.ts'
import { storedText } from '#test/support/traces.ts'

const NEWCOMER = 'new@example.com'

describe.each(ENGINES)('invitations on %s', (engine) => {
  describe('inviting', () => {
    test('is listed, newest first, without the token', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const first = await invited(owner, 'First@Example.com ', 'viewer')
      app.advance(minutes(1))
      const second = await invited(owner, 'second@example.com', 'admin')

      const answer = await owner.get('/api/invitations')

      const { items } = dataOf(answer, ListInvitations)
      expect(items).toMatchObject([
        { id: second.id, email: 'second@example.com', role: 'admin' },
        { id: first.id, email: 'first@example.com', role: 'viewer' },
      ])
      for (const { createdAt, expiresAt } of items) {
        expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(days(7))
      }
      expect(JSON.stringify(answer.body)).not.toContain(second.token)
    })

    test('the token is nowhere in the database or the log', async () => {
      await using app = await testApp(engine)

      const { token } = await invited(await signedIn(app), NEWCOMER)
      await accept(app, token, 'short')

      const secret = token.split('.')[1] ?? ''
      expect(secret).toMatch(/^[\w-]{43}$/)
      expect(await storedText(app)).not.toContain(secret)
      expect(app.log()).not.toContain(secret)
    })

    test('a member cannot be invited, however the e-mail is spelt', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)

      const answer = await owner.post('/api/invitations', {
        email: OWNER.email.toUpperCase(),
        role: 'viewer',
      })

      expectFailure(answer, 409, 'CONFLICT')
    })

    test('an admin may invite anybody but owners', async () => {
      await using app = await testApp(engine)
      const { client: admin } = await aMember(app, 'admin')
      const invite = (role: string) => admin.post('/api/invitations', { email: NEWCOMER, role })

      for (const role of ['admin', 'member', 'viewer']) {
        expect((await invite(role)).status).toBe(200)
      }
      expectFailure(await invite('owner'), 403, 'FORBIDDEN')
    })

    test('members and viewers may not invite, see invitations or take them back', async () => {
      await using app = await testApp(engine)
      const { id } = await invited(await signedIn(app), NEWCOMER)

      for (const role of ['member', 'viewer'] as const) {
        const { client } = await aMember(app, role)
        const body = { email: 'another@example.com', role: 'viewer' }

        expectFailure(await client.post('/api/invitations', body), 403, 'FORBIDDEN')
        expectFailure(await client.get('/api/invitations'), 403, 'FORBIDDEN')
        expectFailure(await client.send('DELETE', `/api/invitations/${id}`), 403, 'FORBIDDEN')
      }
    })

    test('wants an e-mail and a role that exist', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)

      const wrong = await owner.post('/api/invitations', { email: 'nobody', role: 'boss' })
      const long = await owner.post('/api/invitations', {
        email: `${'x'.repeat(250)}@example.com`,
        role: 'viewer',
      })

      expectFailure(wrong, 400, 'INVALID_REQUEST')
      expect(invalidPaths(wrong)).toEqual(['email', 'role'])
      expectFailure(long, 400, 'INVALID_REQUEST')
    })
  })

  describe('accepting', () => {
    test.each(['owner', 'admin', 'member', 'viewer'] as const)(
      'a new person chooses a password and works as %s at once',
      async (role) => {
        await using app = await testApp(engine)
        const owner = await signedIn(app)
        const { token } = await invited(owner, NEWCOMER, role)
        const client = new Client(app.url)

        const answer = await client.post('/api/invitations/accept', { token, password: PASSWORD })

        const identity = dataOf(answer, AcceptInvitation)
        expect(identity).toMatchObject({ organizationId: app.owner.organizationId, role })
        expect(dataOf(await client.get('/api/v1/me'), GetMe)).toEqual(identity)
        await signedIn(app, { email: NEWCOMER, password: PASSWORD })
        const { items } = dataOf(await owner.get('/api/members'), ListMembers)
        expect(items).toContainEqual(
          expect.objectContaining({ userId: identity.userId, email: NEWCOMER, role }),
        )
      },
    )

    test('whoever has an account gives its password, and keeps it', async () => {
      await using app = await testApp(engine)
      const stranger = await aStranger(app)
      const { token } = await invited(await signedIn(app), stranger.email, 'viewer')

      const wrong = await accept(app, token, 'another password')
      const right = await accept(app, token, PASSWORD)

      expectFailure(wrong, 401, 'UNAUTHORIZED')
      expect(dataOf(right, AcceptInvitation)).toMatchObject({
        userId: stranger.userId,
        organizationId: app.owner.organizationId,
        role: 'viewer',
      })
      const belongs = dataOf(await stranger.client.get('/api/organizations'), ListOrganizations)
      expect(belongs.items.map(({ id }) => id).sort()).toEqual(
        [app.owner.organizationId, stranger.organizationId].sort(),
      )
    })

    test('a token works once', async () => {
      await using app = await testApp(engine)
      const { token } = await invited(await signedIn(app), NEWCOMER)

      const [first, second] = [await accept(app, token), await accept(app, token)]

      expect(first.status).toBe(200)
      expectFailure(second, 401, 'UNAUTHORIZED')
    })

    test('of two who come with one token at once, one gets in', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const { token } = await invited(owner, NEWCOMER)

      const answers = await Promise.all([
        accept(app, token, 'the first password'),
        accept(app, token, 'the other password'),
      ])

      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
      expect(dataOf(await owner.get('/api/members'), ListMembers).items).toHaveLength(2)
    })

    test('of two who become the same new person at once, the second needs the first’s password', async () => {
      await using app = await testApp(engine)
      const stranger = await aStranger(app)
      const [here, there] = [
        await invited(await signedIn(app), NEWCOMER),
        await invited(stranger.client, NEWCOMER),
      ]

      const answers = await Promise.all([
        accept(app, here.token, 'the first password'),
        accept(app, there.token, 'the other password'),
      ])

      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    })

    test('an unknown token, a used one, an expired one and a wrong password look the same', async () => {
      await using app = await testApp(engine)
      const stranger = await aStranger(app)
      const owner = await signedIn(app)
      const used = await invited(owner, NEWCOMER)
      await accept(app, used.token)
      const existing = await invited(owner, stranger.email)
      const expired = await invited(owner, 'late@example.com')
      const secretOf = (token: string) => token.split('.')[1] ?? ''

      const answers = [
        await accept(app, existing.token, 'another password'),
        await accept(app, used.token),
        await accept(app, 'nonsense'),
        await accept(app, '.'),
        await accept(app, `${app.owner.organizationId}.${'x'.repeat(43)}`),
        await accept(app, `${stranger.organizationId}.${secretOf(existing.token)}`),
      ]
      app.advance(days(7))
      answers.push(await accept(app, expired.token))

      for (const answer of answers) {
        expectFailure(answer, 401, 'UNAUTHORIZED')
        expect(withoutRequestId(answer)).toEqual(withoutRequestId(answers[0] as Answer))
      }
    })

    test('an invitation is good for seven days', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const [early, late] = [
        await invited(owner, 'early@example.com'),
        await invited(owner, 'late@example.com'),
      ]

      app.advance(days(7) - minutes(1))
      const inTime = await accept(app, early.token)
      app.advance(minutes(1))
      const tooLate = await accept(app, late.token)

      expect(inTime.status).toBe(200)
      expectFailure(tooLate, 401, 'UNAUTHORIZED')
      expect(dataOf(await owner.get('/api/invitations'), ListInvitations).items).toEqual([])
    })

    test('a second invitation of the same e-mail replaces the first', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const first = await invited(owner, NEWCOMER, 'admin')
      const second = await invited(owner, NEWCOMER, 'viewer')

      const { items } = dataOf(await owner.get('/api/invitations'), ListInvitations)
      const old = await accept(app, first.token)
      const current = await accept(app, second.token)

      expect(items.map(({ id }) => id)).toEqual([second.id])
      expectFailure(old, 401, 'UNAUTHORIZED')
      expect(dataOf(current, AcceptInvitation).role).toBe('viewer')
    })

    test('wants a password of at least eight characters, and then still works', async () => {
      await using app = await testApp(engine)
      const { token } = await invited(await signedIn(app), NEWCOMER)

      const short = await accept(app, token, '1234567')

      expectFailure(short, 400, 'INVALID_REQUEST')
      expect(invalidPaths(short)).toEqual(['password'])
      expect((await accept(app, token, '12345678')).status).toBe(200)
    })

    test('guessing the password of the invited account is limited', async () => {
      await using app = await testApp(engine, { EARSHOT_LOGIN_RATE_LIMIT: '2' })
      const stranger = await aStranger(app)
      const { token } = await invited(await signedIn(app), stranger.email)

      const guesses = [
        await accept(app, token, 'a first guess'),
        await accept(app, token, 'a second guess'),
        await accept(app, token, PASSWORD),
      ]

      expect(guesses.map(({ status }) => status)).toEqual([401, 401, 429])
    })

    test('and no further invitation of the same account gives further guesses', async () => {
      await using app = await testApp(engine, { EARSHOT_LOGIN_RATE_LIMIT: '2' })
      const stranger = await aStranger(app)
      const owner = await signedIn(app)

      const statuses: number[] = []
      for (const guess of ['a first guess', 'a second guess', 'a third guess']) {
        const { token } = await invited(owner, stranger.email)
        statuses.push((await accept(app, token, guess)).status)
      }

      expect(statuses).toEqual([401, 401, 429])
    })

    test('is refused from another site', async () => {
      await using app = await testApp(engine)
      const { token } = await invited(await signedIn(app), NEWCOMER)
      const body = { token, password: PASSWORD }

      const answer = await new Client(app.url).post('/api/invitations/accept', body, {
        headers: { origin: 'https://evil.example' },
      })

      expectFailure(answer, 403, 'FORBIDDEN')
      expect(answer.headers.getSetCookie()).toEqual([])
    })
  })

  describe('taking back', () => {
    test('makes the token worthless and takes the invitation off the list', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const { id, token } = await invited(owner, NEWCOMER)

      dataOf(await owner.send('DELETE', `/api/invitations/${id}`), RevokeInvitation)

      expectFailure(await accept(app, token), 401, 'UNAUTHORIZED')
      expect(dataOf(await owner.get('/api/invitations'), ListInvitations).items).toEqual([])
    })

    test('at the moment it is accepted, one of both happens', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const { id, token } = await invited(owner, NEWCOMER)

      const [accepted, taken] = await Promise.all([
        accept(app, token),
        owner.send('DELETE', `/api/invitations/${id}`),
      ])

      const { items } = dataOf(await owner.get('/api/members'), ListMembers)
      expect([accepted.status, taken.status, items.length]).toEqual(
        accepted.status === 200 ? [200, 404, 2] : [401, 200, 1],
      )
    })

    test('one that never was is not found', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)

      const answer = await owner.send('DELETE', `/api/invitations/${newId('inv', Date.now())}`)

      expectFailure(answer, 404, 'NOT_FOUND')
    })
  })
})

function accept(app: TestApp, token: string, password = PASSWORD): Promise<Answer> {
  return new Client(app.url).post('/api/invitations/accept', { token, password })
}
