import type { Db } from '../db/database.ts'
import { hashOfPassword, isPassword } from './password.ts'
import { personById, setPasswordHash } from './person-store.ts'
import { deleteOtherSessions } from './session-store.ts'

export interface PasswordChange {
  personId: string
  current: string
  next: string
  /** The session that asks; every other one of the person ends. */
  tokenHash: string
}

/** False when the current password is not right. */
export async function changePassword(
  db: Db,
  { personId, current, next, tokenHash }: PasswordChange,
): Promise<boolean> {
  const person = await personById(db, personId)
  if (person === undefined || !(await isPassword(current, person.passwordHash))) return false

  const passwordHash = await hashOfPassword(next)
  await db.transaction().execute(async (trx) => {
    await setPasswordHash(trx, personId, passwordHash)
    await deleteOtherSessions(trx, personId, tokenHash)
  })
  return true
}
