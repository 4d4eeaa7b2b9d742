import { z } from 'zod'
import { Email, Password } from './fields.ts'
import { Identity } from './identity.ts'
import { Empty, operation } from './operation.ts'
import { Role } from './access.ts'

export const SignIn = operation({
  id: 'signIn',
  method: 'POST',
  path: '/api/session',
  summary: 'Sign in: sets the session cookie.',
  access: { kind: 'public' },
  body: z.strictObject({ email: Email, password: z.string().min(1).max(256) }),
  response: Identity,
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED'],
})

export const SignOut = operation({
  id: 'signOut',
  method: 'DELETE',
  path: '/api/session',
  summary: 'Sign out: ends the session on every process.',
  access: { kind: 'session', right: null },
  response: Empty,
})

export const ListOrganizations = operation({
  id: 'listOrganizations',
  method: 'GET',
  path: '/api/organizations',
  summary: 'The organizations the signed-in person belongs to.',
  access: { kind: 'session', right: null },
  response: z.strictObject({
    items: z.array(
      z.strictObject({ id: z.string().startsWith('org_'), name: z.string(), role: Role }),
    ),
  }),
})

export const SwitchOrganization = operation({
  id: 'switchOrganization',
  method: 'PUT',
  path: '/api/session/organization',
  summary: 'Work in another of the organizations the signed-in person belongs to.',
  access: { kind: 'session', right: null },
  body: z.strictObject({ organizationId: z.string() }),
  response: Identity,
  errors: ['NOT_FOUND'],
})

export const ChangePassword = operation({
  id: 'changePassword',
  method: 'POST',
  path: '/api/password',
  summary: 'Change the password. Every other session of the person ends.',
  access: { kind: 'session', right: null },
  body: z.strictObject({ current: z.string().min(1).max(256), next: Password }),
  response: Empty,
  errors: ['RATE_LIMITED'],
})
