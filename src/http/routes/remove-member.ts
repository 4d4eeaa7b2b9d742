import { removeMember as remove } from '../../accounts/manage-members.ts'
import { RemoveMember } from '../../contract/member.ts'
import { callerOf, route } from '../route.ts'

export const removeMember = route(RemoveMember, async (call) => {
  const { organizationId, userId: actorId } = callerOf(call).identity
  const member = { organizationId, personId: call.params.userId, actorId }
  await remove(call.app.db, member, call.app.clock())
  return {}
})
