import type { Role } from '../contract/access.ts'
import type { Db, Trx } from '../db/database.ts'
import { AppError, notFound } from '../errors.ts'
import { raiseVersion } from '../db/change-store.ts'
import { revokeKeysOfPerson } from './key-store.ts'
import { countOwners, deleteMembership, roleOf, setRole } from './membership-store.ts'
import { mayManage } from './rights.ts'
import { deleteSessionsIn } from './session-store.ts'

export interface MemberChange {
  organizationId: string
  personId: string
  /** Who asks. */
  actorId: string
}

export async function changeRole(db: Db, change: MemberChange & { role: Role }): Promise<void> {
  const { organizationId, personId, role } = change
  await db.transaction().execute(async (trx) => {
    await raiseVersion(trx, 'access')
    const { actor, current } = await rolesOf(trx, change)
    if (!mayManage(actor, role)) throw ownersOnly()
    if (current === 'owner' && role !== 'owner') await keepOneOwner(trx, organizationId)
    await setRole(trx, { organizationId, personId, role })
  })
}

/** Their keys are revoked for good: whoever comes back gets new ones. */
export async function removeMember(db: Db, change: MemberChange, now: number): Promise<void> {
  const { organizationId, personId } = change
  await db.transaction().execute(async (trx) => {
    await raiseVersion(trx, 'access')
    const { current } = await rolesOf(trx, change)
    if (current === 'owner') await keepOneOwner(trx, organizationId)
    // First, because whoever makes a key or opens a session meanwhile holds this row: what they
    // made is then seen, and ended, by what follows.
    await deleteMembership(trx, organizationId, personId)
    await revokeKeysOfPerson(trx, { organizationId, personId }, now)
    await deleteSessionsIn(trx, organizationId, personId)
  })
}

/** Both as they are now, inside the transaction: who asks may have lost their role a moment ago. */
async function rolesOf(
  trx: Trx,
  { organizationId, personId, actorId }: MemberChange,
): Promise<{ actor: Role; current: Role }> {
  const actor = await roleOf(trx, organizationId, actorId)
  const current = await roleOf(trx, organizationId, personId)
  if (current === undefined) throw notFound('member')
  if (actor === undefined || !mayManage(actor, current)) throw ownersOnly()
  return { actor, current }
}

async function keepOneOwner(trx: Trx, organizationId: string): Promise<void> {
  if ((await countOwners(trx, organizationId)) > 1) return
  throw new AppError('CONFLICT', 'This is the only owner. Make somebody else an owner first.')
}

function ownersOnly(): AppError {
  return new AppError('FORBIDDEN', 'Only an owner may make or unmake owners.')
}
