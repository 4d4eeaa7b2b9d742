import { membersOf } from '../../accounts/membership-store.ts'
import { ListMembers } from '../../contract/member.ts'
import { isoTime } from '../../lib/iso-time.ts'
import { callerOf, route } from '../route.ts'

export const listMembers = route(ListMembers, async (call) => {
  const members = await membersOf(call.app.db, callerOf(call).identity.organizationId)
  return {
    items: members.map(({ personId, email, role, createdAt }) => ({
      userId: personId,
      email,
      role,
      joinedAt: isoTime(createdAt),
    })),
  }
})
