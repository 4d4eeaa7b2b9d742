// The people of a test. They come to be as real ones do: by an invitation that they accept.

import type { Role } from '#src/contract/access.ts'
import { AcceptInvitation, Invite, RemoveMember } from '#src/contract/member.ts'
import { SwitchOrganization } from '#src/contract/session.ts'
import { dataOf } from './answers.ts'
import { Client } from './client.ts'
import { OWNER, type TestApp } from './test-app.ts'

export const PASSWORD = 'battery staple'

export interface Person {
  client: Client
  userId: string
  organizationId: string
  email: string
}

/** The first owner, or whoever else, with a session. */
export async function signedIn({ url }: { url: string }, credentials = OWNER): Promise<Client> {
  const client = new Client(url)
  await client.signIn(credentials)
  return client
}

export async function invited(
  by: Client,
  email: string,
  role: Role = 'member',
): Promise<{ id: string; token: string }> {
  return dataOf(await by.post('/api/invitations', { email, role }), Invite)
}

/** A new person in the organization that `by` works in; `by` is the first owner unless said. */
export async function aMember(
  app: TestApp,
  role: Role,
  { email = `another.${role}@example.com`, by }: { email?: string; by?: Client } = {},
): Promise<Person> {
  const { token } = await invited(by ?? (await signedIn(app)), email, role)
  const client = new Client(app.url)
  const answer = await client.post('/api/invitations/accept', { token, password: PASSWORD })
  const { userId, organizationId } = dataOf(answer, AcceptInvitation)
  return { client, userId, organizationId, email }
}

/** The owner of a second organization, who shares nothing with the first one's. */
export async function aStranger(app: TestApp, email = 'stranger@example.com'): Promise<Person> {
  const founder = await signedIn(app)
  const organizationId = await app.createOrganization('Globex')
  const switched = await founder.send('PUT', '/api/session/organization', {
    body: { organizationId },
  })
  dataOf(switched, SwitchOrganization)

  const stranger = await aMember(app, 'owner', { email, by: founder })
  const removed = await stranger.client.send('DELETE', `/api/members/${app.owner.userId}`)
  dataOf(removed, RemoveMember)
  return stranger
}
