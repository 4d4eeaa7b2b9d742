// Accounts owns who exists and who may do what: organizations, people, memberships, invitations,
// sessions and API keys. It never looks at records, and it never speaks HTTP.

import type { Db, Trx } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { newId } from '../lib/id.ts'
import { raiseVersion } from '../db/change-store.ts'
import { insertMembership } from './membership-store.ts'
import { insertOrganization } from './organization-store.ts'
import { hashOfPassword } from './password.ts'
import { anyPersonExists, insertPerson } from './person-store.ts'

export interface Founding {
  email: string
  password: string
  organizationName: string
}

/** The first owner and organization of an installation. Refuses where there already is somebody. */
export async function foundInstallation(
  db: Db,
  { email, password, organizationName }: Founding,
  now: number,
): Promise<{ userId: string; organizationId: string }> {
  const passwordHash = await hashOfPassword(password)
  return db.transaction().execute(async (trx) => {
    await raiseVersion(trx, 'access')
    if (await anyPersonExists(trx)) {
      throw new AppError(
        'CONFLICT',
        'This installation has its first owner already. Make further organizations with `earshot org create`, and invite people in the dashboard.',
      )
    }
    const userId = newId('usr', now)
    await insertPerson(trx, { id: userId, email, passwordHash, createdAt: now })
    const organizationId = await foundOrganization(trx, { ownerId: userId, organizationName }, now)
    return { userId, organizationId }
  })
}

/** A further organization, with an owner who exists. */
export async function foundOrganization(
  trx: Trx,
  { ownerId, organizationName }: { ownerId: string; organizationName: string },
  now: number,
): Promise<string> {
  const id = newId('org', now)
  // Nothing is gated by plan, so who hosts it themselves has the plan that promises most to one.
  await insertOrganization(trx, { id, name: organizationName, planType: 'pro', createdAt: now })
  await insertMembership(trx, { organizationId: id, personId: ownerId, role: 'owner' }, now)
  return id
}
