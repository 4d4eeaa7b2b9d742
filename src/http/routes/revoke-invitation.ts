import { deleteInvitation } from '../../accounts/invitation-store.ts'
import { RevokeInvitation } from '../../contract/member.ts'
import { notFound } from '../../errors.ts'
import { callerOf, route } from '../route.ts'

export const revokeInvitation = route(RevokeInvitation, async (call) => {
  const { organizationId } = callerOf(call).identity
  const existed = await deleteInvitation(call.app.db, organizationId, call.params.id)
  if (!existed) throw notFound('invitation')
  return {}
})
