import { invite as makeInvitation } from '../../accounts/invite.ts'
import { Invite } from '../../contract/member.ts'
import { callerOf, route } from '../route.ts'

export const invite = route(Invite, (call) => {
  const { app, body } = call
  const { organizationId, userId, role } = callerOf(call).identity
  const { invitationMs } = app.config.accounts
  return makeInvitation(
    app.db,
    { organizationId, ...body, invitedBy: { personId: userId, role } },
    { now: app.clock(), invitationMs },
  )
})
