// Owns the `session` table: server-side sessions, found by the hash of their token.

import type { Role } from '../contract/access.ts'
import type { PlanType } from '../contract/identity.ts'
import type { Db } from '../db/database.ts'

export interface Session {
  tokenHash: string
  personId: string
  organizationId: string
  createdAt: number
  expiresAt: number
}

export interface SessionIdentity {
  personId: string
  organizationId: string
  role: Role
  planType: PlanType
}

export async function insertSession(db: Db, session: Session): Promise<void> {
  await db
    .insertInto('session')
    .values({
      token_hash: session.tokenHash,
      person_id: session.personId,
      organization_id: session.organizationId,
      created_at: session.createdAt,
      expires_at: session.expiresAt,
    })
    .execute()
}

/** Who is behind a session that is valid now, as they are now: role and plan are read, not kept. */
export async function sessionIdentity(
  db: Db,
  tokenHash: string,
  now: number,
): Promise<SessionIdentity | undefined> {
  const row = await db
    .selectFrom('session')
    .innerJoin('membership', (join) =>
      join
        .onRef('membership.organization_id', '=', 'session.organization_id')
        .onRef('membership.person_id', '=', 'session.person_id'),
    )
    .innerJoin('organization', 'organization.id', 'session.organization_id')
    .select(['session.person_id as personId', 'session.organization_id as organizationId'])
    .select(['role', 'plan_type as planType'])
    .where('token_hash', '=', tokenHash)
    .where('session.expires_at', '>', now)
    .executeTakeFirst()
  return row as SessionIdentity | undefined
}

export async function setSessionOrganization(
  db: Db,
  tokenHash: string,
  organizationId: string,
): Promise<void> {
  await db
    .updateTable('session')
    .set({ organization_id: organizationId })
    .where('token_hash', '=', tokenHash)
    .execute()
}

export async function deleteSession(db: Db, tokenHash: string): Promise<void> {
  await db.deleteFrom('session').where('token_hash', '=', tokenHash).execute()
}

export async function deleteOtherSessions(
  db: Db,
  personId: string,
  keptTokenHash: string,
): Promise<void> {
  await db
    .deleteFrom('session')
    .where('person_id', '=', personId)
    .where('token_hash', '!=', keptTokenHash)
    .execute()
}

export async function deleteSessionsIn(
  db: Db,
  organizationId: string,
  personId: string,
): Promise<void> {
  await db
    .deleteFrom('session')
    .where('person_id', '=', personId)
    .where('organization_id', '=', organizationId)
    .execute()
}

export async function deleteExpiredSessions(db: Db, now: number): Promise<number> {
  const result = await db
    .deleteFrom('session')
    .where('expires_at', '<=', now)
    .executeTakeFirstOrThrow()
  return Number(result.numDeletedRows)
}
