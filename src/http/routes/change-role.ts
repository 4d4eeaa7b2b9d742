import { changeRole as change } from '../../accounts/manage-members.ts'
import { ChangeRole } from '../../contract/member.ts'
import { callerOf, route } from '../route.ts'

export const changeRole = route(ChangeRole, async (call) => {
  const { organizationId, userId: actorId } = callerOf(call).identity
  const member = { organizationId, personId: call.params.userId, actorId }
  await change(call.app.db, { ...member, role: call.body.role })
  return {}
})
