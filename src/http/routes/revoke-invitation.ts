import { withdrawInvitation } from '../../accounts/withdraw-invitation.ts'
import { RevokeInvitation } from '../../contract/member.ts'
import { callerOf, route } from '../route.ts'

export const revokeInvitation = route(RevokeInvitation, async (call) => {
  const { organizationId, role } = callerOf(call).identity
  await withdrawInvitation(call.app.db, { organizationId, id: call.params.id }, role)
  return {}
})
