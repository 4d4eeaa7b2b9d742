import type { Role } from '../contract/access.ts'
import type { Db } from '../db/database.ts'
import { AppError, notFound } from '../errors.ts'
import { deleteInvitation, invitedRole } from './invitation-store.ts'
import { mayManage } from './rights.ts'

/** Takes an invitation back: its token stops working. */
export async function withdrawInvitation(
  db: Db,
  { organizationId, id }: { organizationId: string; id: string },
  actor: Role,
): Promise<void> {
  const role = await invitedRole(db, { organizationId, id })
  if (role !== undefined && !mayManage(actor, role)) {
    throw new AppError('FORBIDDEN', 'Only an owner may take back the invitation of an owner.')
  }
  if (!(await deleteInvitation(db, organizationId, id))) throw notFound('invitation')
}
