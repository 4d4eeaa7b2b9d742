import { openInvitations } from '../../accounts/invitation-store.ts'
import { ListInvitations } from '../../contract/member.ts'
import { isoTime } from '../../lib/iso-time.ts'
import { callerOf, route } from '../route.ts'

export const listInvitations = route(ListInvitations, async (call) => {
  const { db, clock } = call.app
  const open = await openInvitations(db, callerOf(call).identity.organizationId, clock())
  return {
    items: open.map(({ id, email, role, createdAt, expiresAt }) => ({
      id,
      email,
      role,
      createdAt: isoTime(createdAt),
      expiresAt: isoTime(expiresAt),
    })),
  }
})
