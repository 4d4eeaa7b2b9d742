import type { Db, Trx } from '../db/database.ts'
import { newId } from '../lib/id.ts'
import { raiseVersion } from '../db/change-store.ts'
import { deleteInvitation, invitationByToken, type Invitation } from './invitation-store.ts'
import { insertMembership, roleOf } from './membership-store.ts'
import { hashOfPassword, isPassword } from './password.ts'
import { insertPerson, personByEmail, type Person } from './person-store.ts'
import { openSession, type OpenedSession } from './sign-in.ts'
import { hashOfToken } from './token.ts'

interface Proof {
  organizationId: string
  tokenHash: string
}

/** Whom an invitation is for; undefined when it is unknown, used or expired. */
export async function invitedEmail(
  db: Db,
  token: string,
  now: number,
): Promise<string | undefined> {
  const invitation = await invitationByToken(db, proofOf(token), now)
  return invitation?.email
}

/**
 * Null when the token is unknown, used or expired, or when the invited person has an account and
 * the password is not theirs: one answer, so that it tells nothing about who has an account.
 */
export async function acceptInvitation(
  db: Db,
  { token, password }: { token: string; password: string },
  times: { now: number; sessionMs: number },
): Promise<OpenedSession | null> {
  const proof = proofOf(token)
  const invitation = await invitationByToken(db, proof, times.now)
  if (invitation === undefined) return null

  const { email } = invitation
  const person = await personByEmail(db, email)
  if (person !== undefined && !(await isPassword(password, person.passwordHash))) return null

  const passwordHash = person?.passwordHash ?? (await hashOfPassword(password))
  const newcomer = { id: newId('usr', times.now), email, passwordHash, createdAt: times.now }
  const personId = await db.transaction().execute((trx) => join(trx, invitation, newcomer))
  if (personId === null) return null
  const { organizationId } = proof
  return openSession(db, { personId, organizationId, passwordHash }, times)
}

function proofOf(token: string): Proof {
  const [organizationId = '', secret = ''] = token.split('.', 2)
  return { organizationId, tokenHash: hashOfToken(secret) }
}

/** Whoever deletes the invitation has it: of two who come at once, the second finds it gone. */
async function join(
  trx: Trx,
  { organizationId, id, role }: Invitation,
  newcomer: Person,
): Promise<string | null> {
  await raiseVersion(trx, 'access')
  const person = await personByEmail(trx, newcomer.email)
  // Somebody became this person meanwhile, by another invitation and with another password.
  if (person !== undefined && person.passwordHash !== newcomer.passwordHash) return null
  if (!(await deleteInvitation(trx, organizationId, id))) return null

  if (person === undefined) await insertPerson(trx, newcomer)
  const personId = person?.id ?? newcomer.id
  if ((await roleOf(trx, organizationId, personId)) === undefined) {
    await insertMembership(trx, { organizationId, personId, role }, newcomer.createdAt)
  }
  return personId
}
