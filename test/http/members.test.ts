import { describe, expect, test } from 'vitest'
import type { Role } from '#src/contract/access.ts'
import { GetMe } from '#src/contract/get-me.ts'
import { ChangeRole, ListMembers, RemoveMember } from '#src/contract/member.ts'
import { ListOrganizations, SwitchOrganization } from '#src/contract/session.ts'
import { minutes, seconds } from '#src/lib/duration.ts'
import { newId } from '#src/lib/id.ts'
import { dataOf, invalidPaths } from '#test/support/answers.ts'
import { Client, expectFailure, type Answer } from '#test/support/client.ts'
import { aMember, aStranger, invited, PASSWORD, signedIn } from '#test/support/people.ts'
import { ENGINES } from '#test/support/place.ts'
import { OWNER, testApp } from '#test/support/test-app.ts'

describe.each(ENGINES)('members on %s', (engine) => {
  describe('listing', () => {
    test('shows everybody, longest there first, to every role', async () => {
      await using app = await testApp(engine)
      app.advance(minutes(1))
      const viewer = await aMember(app, 'viewer', { email: 'a@example.com' })
      app.advance(minutes(1))
      const admin = await aMember(app, 'admin', { email: 'b@example.com' })

      for (const client of [viewer.client, admin.client, await signedIn(app)]) {
        expect(await membersOf(client)).toMatchObject([
          { userId: app.owner.userId, email: OWNER.email, role: 'owner' },
          { userId: viewer.userId, email: 'a@example.com', role: 'viewer' },
          { userId: admin.userId, email: 'b@example.com', role: 'admin' },
        ])
      }
    })
  })

  describe('changing a role', () => {
    test('takes effect in the member’s open session at once', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const { client, userId } = await aMember(app, 'viewer')
      expectFailure(await client.get('/api/keys'), 403, 'FORBIDDEN')

      dataOf(await changeRole(owner, userId, 'admin'), ChangeRole)

      expect((await client.get('/api/keys')).status).toBe(200)
      expect(dataOf(await client.get('/api/v1/me'), GetMe).role).toBe('admin')
    })

    test('an admin may change anybody but owners, and make nobody an owner', async () => {
      await using app = await testApp(engine)
      const { client: admin, userId: own } = await aMember(app, 'admin')
      const { userId } = await aMember(app, 'member')

      expect((await changeRole(admin, userId, 'viewer')).status).toBe(200)
      expectFailure(await changeRole(admin, userId, 'owner'), 403, 'FORBIDDEN')
      expectFailure(await changeRole(admin, own, 'owner'), 403, 'FORBIDDEN')
      expectFailure(await changeRole(admin, app.owner.userId, 'admin'), 403, 'FORBIDDEN')

      expect((await membersOf(admin)).map(({ role }) => role)).toEqual(['owner', 'admin', 'viewer'])
    })

    test('members and viewers may change nobody, not even themselves', async () => {
      await using app = await testApp(engine)

      for (const role of ['member', 'viewer'] as const) {
        const { client, userId } = await aMember(app, role)

        expectFailure(await changeRole(client, userId, 'owner'), 403, 'FORBIDDEN')
        expectFailure(await changeRole(client, app.owner.userId, 'viewer'), 403, 'FORBIDDEN')
      }
    })

    test('the only owner stays an owner', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      await aMember(app, 'admin')

      const refused = await changeRole(owner, app.owner.userId, 'admin')
      const unchanged = await changeRole(owner, app.owner.userId, 'owner')

      expectFailure(refused, 409, 'CONFLICT')
      expect(unchanged.status).toBe(200)
      expect(dataOf(await owner.get('/api/v1/me'), GetMe).role).toBe('owner')
    })

    test('of two owners who demote each other at once, exactly one succeeds', async () => {
      await using app = await testApp(engine)
      const first = await signedIn(app)
      const second = await aMember(app, 'owner')

      const answers = await Promise.all([
        changeRole(first, second.userId, 'viewer'),
        changeRole(second.client, app.owner.userId, 'viewer'),
      ])

      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect((await membersOf(first)).filter(({ role }) => role === 'owner')).toHaveLength(1)
    })

    test('refuses a role that there is not', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const { userId } = await aMember(app, 'member')

      for (const role of ['boss', 'Owner', '', null]) {
        const answer = await owner.send('PATCH', `/api/members/${userId}`, { body: { role } })
        expectFailure(answer, 400, 'INVALID_REQUEST')
        expect(invalidPaths(answer)).toEqual(['role'])
      }
    })

    test('somebody who is no member is not found', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)

      const answer = await changeRole(owner, newId('usr', Date.now()), 'viewer')

      expectFailure(answer, 404, 'NOT_FOUND')
    })
  })

  describe('removing', () => {
    test('ends the member’s sessions here and revokes their keys', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const { client, userId, email } = await aMember(app, 'admin')
      const { key } = await app.createKey({ personId: userId })
      expect((await client.get('/v1/me', { key })).status).toBe(200)

      dataOf(await remove(owner, userId), RemoveMember)
      app.advance(seconds(1))

      expectFailure(await client.get('/api/v1/me'), 401, 'UNAUTHORIZED')
      expectFailure(await client.get('/v1/me', { key }), 401, 'UNAUTHORIZED')
      const signIn = await client.post('/api/session', { email, password: PASSWORD })
      expectFailure(signIn, 401, 'UNAUTHORIZED')
      expect((await membersOf(owner)).map((member) => member.userId)).toEqual([app.owner.userId])
    })

    test('whoever comes back finds neither their old session nor their old keys', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const { client, userId, email } = await aMember(app, 'admin')
      const { key } = await app.createKey({ personId: userId })

      await remove(owner, userId)
      const { token } = await invited(owner, email, 'admin')
      const back = new Client(app.url)
      const accepted = await back.post('/api/invitations/accept', { token, password: PASSWORD })

      expect(accepted.status).toBe(200)
      expectFailure(await client.get('/api/v1/me'), 401, 'UNAUTHORIZED')
      expectFailure(await back.get('/v1/me', { key }), 401, 'UNAUTHORIZED')
    })

    test('leaves their other organizations alone', async () => {
      await using app = await testApp(engine)
      const stranger = await aStranger(app)
      const owner = await signedIn(app)
      const { token } = await invited(owner, stranger.email, 'admin')
      const here = new Client(app.url)
      await here.post('/api/invitations/accept', { token, password: PASSWORD })
      const { key } = await app.createKey({
        organizationId: stranger.organizationId,
        personId: stranger.userId,
      })

      await remove(owner, stranger.userId)

      expectFailure(await here.get('/api/v1/me'), 401, 'UNAUTHORIZED')
      expect((await stranger.client.get('/api/v1/me')).status).toBe(200)
      expect((await here.get('/v1/me', { key })).status).toBe(200)
    })

    test('an admin may remove anybody but owners', async () => {
      await using app = await testApp(engine)
      const { client: admin } = await aMember(app, 'admin')
      const { userId } = await aMember(app, 'member')

      expectFailure(await remove(admin, app.owner.userId), 403, 'FORBIDDEN')
      expect((await remove(admin, userId)).status).toBe(200)
    })

    test('members and viewers may remove nobody', async () => {
      await using app = await testApp(engine)

      for (const role of ['member', 'viewer'] as const) {
        const { client } = await aMember(app, role)

        expectFailure(await remove(client, app.owner.userId), 403, 'FORBIDDEN')
      }
    })

    test('the only owner cannot be removed, not even by themselves', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      await aMember(app, 'admin')

      expectFailure(await remove(owner, app.owner.userId), 409, 'CONFLICT')

      expect((await owner.get('/api/v1/me')).status).toBe(200)
    })

    test('an owner who is not the only one may leave', async () => {
      await using app = await testApp(engine)
      const second = await aMember(app, 'owner')

      expect((await remove(second.client, second.userId)).status).toBe(200)

      expectFailure(await second.client.get('/api/v1/me'), 401, 'UNAUTHORIZED')
    })

    test('of two owners who remove each other at once, exactly one succeeds', async () => {
      await using app = await testApp(engine)
      const first = await signedIn(app)
      const second = await aMember(app, 'owner')

      const answers = await Promise.all([
        remove(first, second.userId),
        remove(second.client, app.owner.userId),
      ])

      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      const left = await Promise.all([first, second.client].map((each) => each.get('/api/v1/me')))
      expect(left.map(({ status }) => status).sort()).toEqual([200, 401])
    })

    test('works once: after that there is no such member', async () => {
      await using app = await testApp(engine)
      const owner = await signedIn(app)
      const { userId } = await aMember(app, 'member')

      const answers = await Promise.all([remove(owner, userId), remove(owner, userId)])

      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
    })
  })

  describe('organizations', () => {
    test('a person sees those they belong to, with their role in each', async () => {
      await using app = await testApp(engine)
      const stranger = await aStranger(app)
      const { token } = await invited(await signedIn(app), stranger.email, 'viewer')
      const accept = { token, password: PASSWORD }
      await new Client(app.url).post('/api/invitations/accept', accept)

      const answer = await stranger.client.get('/api/organizations')

      const { items } = dataOf(answer, ListOrganizations)
      const expected = [
        { id: app.owner.organizationId, name: 'Acme', role: 'viewer' },
        { id: stranger.organizationId, name: 'Globex', role: 'owner' },
      ]
      expect(items).toHaveLength(2)
      expect(items).toEqual(expect.arrayContaining(expected))
    })

    test('switching makes the session work in another, with the role there', async () => {
      await using app = await testApp(engine)
      const stranger = await aStranger(app)
      const { token } = await invited(await signedIn(app), stranger.email, 'viewer')
      const accept = { token, password: PASSWORD }
      await new Client(app.url).post('/api/invitations/accept', accept)

      const switched = await switchTo(stranger.client, app.owner.organizationId)

      const identity = dataOf(switched, SwitchOrganization)
      expect(identity).toMatchObject({
        userId: stranger.userId,
        organizationId: app.owner.organizationId,
        role: 'viewer',
      })
      expect(dataOf(await stranger.client.get('/api/v1/me'), GetMe)).toEqual(identity)
      expectFailure(await stranger.client.get('/api/keys'), 403, 'FORBIDDEN')
    })

    test('switching concerns this session only', async () => {
      await using app = await testApp(engine)
      const organizationId = await app.createOrganization('Second')
      const [here, there] = [await signedIn(app), await signedIn(app)]
      const before = dataOf(await there.get('/api/v1/me'), GetMe)

      await switchTo(here, organizationId)

      expect(dataOf(await here.get('/api/v1/me'), GetMe).organizationId).toBe(organizationId)
      expect(dataOf(await there.get('/api/v1/me'), GetMe)).toEqual(before)
    })

    test('switching to one that the person is no member of finds nothing', async () => {
      await using app = await testApp(engine)
      const stranger = await aStranger(app)

      const foreign = await switchTo(stranger.client, app.owner.organizationId)

      expectFailure(foreign, 404, 'NOT_FOUND')
      const identity = dataOf(await stranger.client.get('/api/v1/me'), GetMe)
      expect(identity.organizationId).toBe(stranger.organizationId)
    })
  })
})

async function membersOf(client: Client) {
  return dataOf(await client.get('/api/members'), ListMembers).items
}

function changeRole(client: Client, userId: string, role: Role): Promise<Answer> {
  return client.send('PATCH', `/api/members/${userId}`, { body: { role } })
}

function remove(client: Client, userId: string): Promise<Answer> {
  return client.send('DELETE', `/api/members/${userId}`)
}

function switchTo(client: Client, organizationId: string): Promise<Answer> {
  return client.send('PUT', '/api/session/organization', { body: { organizationId } })
}
