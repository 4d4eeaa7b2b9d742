import type { Role } from '../contract/access.ts'
import type { Db } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { newId } from '../lib/id.ts'
import { invitedRole, putInvitation } from './invitation-store.ts'
import { roleOf } from './membership-store.ts'
import { personByEmail } from './person-store.ts'
import { mayManage } from './rights.ts'
import { hashOfToken, newToken } from './token.ts'

export interface InvitationRequest {
  organizationId: string
  email: string
  role: Role
  invitedBy: { personId: string; role: Role }
}

/** The token names the organization, so that an invitation is looked up inside it. */
export async function invite(
  db: Db,
  { organizationId, email, role, invitedBy }: InvitationRequest,
  { now, invitationMs }: { now: number; invitationMs: number },
): Promise<{ id: string; token: string }> {
  // Inviting again replaces the invitation there is, which may be an owner's.
  const replaced = await invitedRole(db, { organizationId, email })
  if (!mayManage(invitedBy.role, role) || !mayManage(invitedBy.role, replaced ?? role)) {
    throw new AppError('FORBIDDEN', 'Only an owner may invite an owner.')
  }
  const person = await personByEmail(db, email)
  if (person !== undefined && (await roleOf(db, organizationId, person.id)) !== undefined) {
    throw new AppError('CONFLICT', 'This person is a member already.')
  }
  const [id, secret] = [newId('inv', now), newToken()]
  await putInvitation(db, {
    organizationId,
    id,
    email,
    role,
    tokenHash: hashOfToken(secret),
    invitedBy: invitedBy.personId,
    createdAt: now,
    expiresAt: now + invitationMs,
  })
  return { id, token: `${organizationId}.${secret}` }
}
