// Owns the `invitation` table: the open ones. An invitation that was accepted or taken back is gone.

import type { Role } from '../contract/access.ts'
import type { Db } from '../db/database.ts'

export interface Invitation {
  organizationId: string
  id: string
  email: string
  role: Role
  tokenHash: string
  invitedBy: string
  createdAt: number
  expiresAt: number
}

/** A second invitation of the same e-mail replaces the first, whose token stops working. */
export async function putInvitation(db: Db, invitation: Invitation): Promise<void> {
  const values = {
    id: invitation.id,
    role: invitation.role,
    token_hash: invitation.tokenHash,
    invited_by: invitation.invitedBy,
    created_at: invitation.createdAt,
    expires_at: invitation.expiresAt,
  }
  await db
    .insertInto('invitation')
    .values({ organization_id: invitation.organizationId, email: invitation.email, ...values })
    .onConflict((conflict) => conflict.columns(['organization_id', 'email']).doUpdateSet(values))
    .execute()
}

export async function openInvitations(
  db: Db,
  organizationId: string,
  now: number,
): Promise<Invitation[]> {
  const rows = await invitations(db)
    .where('organization_id', '=', organizationId)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows as Invitation[]
}

export async function invitationByToken(
  db: Db,
  { organizationId, tokenHash }: { organizationId: string; tokenHash: string },
  now: number,
): Promise<Invitation | undefined> {
  const row = await invitations(db)
    .where('organization_id', '=', organizationId)
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row as Invitation | undefined
}

export async function invitedRole(
  db: Db,
  { organizationId, ...which }: { organizationId: string } & ({ id: string } | { email: string }),
): Promise<Role | undefined> {
  const open = invitations(db).where('organization_id', '=', organizationId)
  const query =
    'id' in which ? open.where('id', '=', which.id) : open.where('email', '=', which.email)
  const row = await query.executeTakeFirst()
  return row?.role as Role | undefined
}

/** False when there was none: somebody else took it, or it never was. */
export async function deleteInvitation(
  db: Db,
  organizationId: string,
  id: string,
): Promise<boolean> {
  const result = await db
    .deleteFrom('invitation')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return result.numDeletedRows > 0n
}

export async function deleteExpiredInvitations(db: Db, now: number): Promise<number> {
  const result = await db
    .deleteFrom('invitation')
    .where('expires_at', '<=', now)
    .executeTakeFirstOrThrow()
  return Number(result.numDeletedRows)
}

function invitations(db: Db) {
  return db
    .selectFrom('invitation')
    .select(['organization_id as organizationId', 'id', 'email', 'role'])
    .select(['token_hash as tokenHash', 'invited_by as invitedBy'])
    .select(['created_at as createdAt', 'expires_at as expiresAt'])
}
