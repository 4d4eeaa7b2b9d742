import type { Identity } from '../contract/identity.ts'
import type { Db } from '../db/database.ts'
import { newToken, hashOfToken } from './token.ts'
import { holdMembership, organizationsOf } from './membership-store.ts'
import { isPassword, wasteAPasswordCheck } from './password.ts'
import { holdPassword, personByEmail } from './person-store.ts'
import { insertSession, sessionIdentity, type SessionIdentity } from './session-store.ts'

export interface OpenedSession {
  token: string
  expiresAt: number
  identity: Identity
}

interface Times {
  now: number
  sessionMs: number
}

/** Null when e-mail and password do not belong together, or the person belongs nowhere any more. */
export async function signIn(
  db: Db,
  { email, password }: { email: string; password: string },
  times: Times,
): Promise<OpenedSession | null> {
  const person = await personByEmail(db, email)
  if (person === undefined) {
    await wasteAPasswordCheck(password)
    return null
  }
  if (!(await isPassword(password, person.passwordHash))) return null

  const [organization] = await organizationsOf(db, person.id)
  if (organization === undefined) return null
  const { id: personId, passwordHash } = person
  return openSession(db, { personId, passwordHash, organizationId: organization.id }, times)
}

interface SessionRequest {
  personId: string
  organizationId: string
  /** The one that was checked: a session is opened only while it is still in force. */
  passwordHash: string
}

export async function openSession(
  db: Db,
  { personId, organizationId, passwordHash }: SessionRequest,
  { now, sessionMs }: Times,
): Promise<OpenedSession | null> {
  const token = newToken()
  const tokenHash = hashOfToken(token)
  const expiresAt = now + sessionMs
  const identity = await db.transaction().execute(async (trx) => {
    if (!(await holdPassword(trx, personId, passwordHash))) return undefined
    if (!(await holdMembership(trx, organizationId, personId))) return undefined
    await insertSession(trx, { tokenHash, personId, organizationId, createdAt: now, expiresAt })
    return sessionIdentity(trx, tokenHash, now)
  })
  return identity === undefined ? null : { token, expiresAt, identity: identityOf(identity) }
}

export function identityOf({
  personId,
  organizationId,
  role,
  planType,
}: SessionIdentity): Identity {
  return { userId: personId, organizationId, role, planType, scopes: ['*'] }
}
