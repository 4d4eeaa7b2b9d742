import type { Db, Trx } from '../db/database.ts'
import { newId } from '../lib/id.ts'
import { raiseAccessVersion } from './access-version-store.ts'
import { deleteInvitation, invitationByToken, type Invitation } from './invitation-store.ts'
import { insertMembership, roleOf } from './membership-store.ts'
import { hashOfPassword, isPassword } from './password.ts'
import { insertPerson, personByEmail } from './person-store.ts'
import { openSession, type OpenedSession } from './sign-in.ts'
import { hashOfToken } from './token.ts'

/**
 * Null when the token is unknown, used or expired, or when the invited person has an account and
 * the password is not theirs: one answer, so that it tells nothing about who has an account.
 */
export async function acceptInvitation(
  db: Db,
  { token, password }: { token: string; password: string },
  times: { now: number; sessionMs: number },
): Promise<OpenedSession | null> {
  const [organizationId = '', secret = ''] = token.split('.', 2)
  const proof = { organizationId, tokenHash: hashOfToken(secret) }
  const invitation = await invitationByToken(db, proof, times.now)
  if (invitation === undefined) return null

  const person = await personByEmail(db, invitation.email)
  if (person !== undefined && !(await isPassword(password, person.passwordHash))) return null

  const passwordHash = person?.passwordHash ?? (await hashOfPassword(password))
  const newcomer = { id: newId('usr', times.now), passwordHash, createdAt: times.now }
  const personId = await db
    .transaction()
    .execute((trx) => join(trx, invitation, { ...newcomer, email: invitation.email }))
  return personId === null ? null : openSession(db, { personId, organizationId }, times)
}

/** Whoever deletes the invitation has it: of two who come at once, the second finds it gone. */
async function join(
  trx: Trx,
  { organizationId, id, email, role }: Invitation,
  newcomer: Parameters<typeof insertPerson>[1],
): Promise<string | null> {
  await raiseAccessVersion(trx)
  if (!(await deleteInvitation(trx, organizationId, id))) return null

  const person = await personByEmail(trx, email)
  if (person === undefined) await insertPerson(trx, newcomer)
  const personId = person?.id ?? newcomer.id
  if ((await roleOf(trx, organizationId, personId)) === undefined) {
    await insertMembership(trx, { organizationId, personId, role }, newcomer.createdAt)
  }
  return personId
}
