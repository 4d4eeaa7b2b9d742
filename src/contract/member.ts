import { z } from 'zod'
import { Role } from './access.ts'
import { Email, Instant, Password } from './fields.ts'
import { Identity } from './identity.ts'
import { Empty, operation } from './operation.ts'

const MANAGE = { kind: 'session', right: 'access:manage' } as const

const Member = z
  .strictObject({
    userId: z.string().startsWith('usr_'),
    email: z.string(),
    role: Role,
    joinedAt: Instant,
  })
  .meta({ id: 'Member' })

export const ListMembers = operation({
  id: 'listMembers',
  method: 'GET',
  path: '/api/members',
  summary: 'The people of the organization, longest there first.',
  access: { kind: 'session', right: null },
  response: z.strictObject({ items: z.array(Member) }),
})

export const ChangeRole = operation({
  id: 'changeRole',
  method: 'PATCH',
  path: '/api/members/{userId}',
  summary: 'Give a member another role.',
  access: MANAGE,
  params: z.strictObject({ userId: z.string() }),
  body: z.strictObject({ role: Role }),
  response: Empty,
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const RemoveMember = operation({
  id: 'removeMember',
  method: 'DELETE',
  path: '/api/members/{userId}',
  summary: 'Remove a member. Their sessions here end and their keys are revoked.',
  access: MANAGE,
  params: z.strictObject({ userId: z.string() }),
  response: Empty,
  errors: ['NOT_FOUND', 'CONFLICT'],
})

const Invitation = z
  .strictObject({
    id: z.string().startsWith('inv_'),
    email: z.string(),
    role: Role,
    createdAt: Instant,
    expiresAt: Instant,
  })
  .meta({ id: 'Invitation' })

export const ListInvitations = operation({
  id: 'listInvitations',
  method: 'GET',
  path: '/api/invitations',
  summary: 'The invitations that are open, newest first.',
  access: MANAGE,
  response: z.strictObject({ items: z.array(Invitation) }),
})

export const Invite = operation({
  id: 'invite',
  method: 'POST',
  path: '/api/invitations',
  summary: 'Invite somebody. The answer holds the token to hand over, this once.',
  access: MANAGE,
  body: z.strictObject({ email: Email, role: Role }),
  response: z.strictObject({ id: z.string().startsWith('inv_'), token: z.string() }),
  errors: ['CONFLICT'],
})

export const RevokeInvitation = operation({
  id: 'revokeInvitation',
  method: 'DELETE',
  path: '/api/invitations/{id}',
  summary: 'Take an invitation back.',
  access: MANAGE,
  params: z.strictObject({ id: z.string() }),
  response: Empty,
  errors: ['NOT_FOUND'],
})

export const AcceptInvitation = operation({
  id: 'acceptInvitation',
  method: 'POST',
  path: '/api/invitations/accept',
  summary:
    'Join with an invitation and sign in. A new person chooses the password here; one who has an account gives theirs.',
  access: { kind: 'public' },
  body: z.strictObject({ token: z.string().min(1).max(256), password: Password }),
  response: Identity,
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED'],
})
