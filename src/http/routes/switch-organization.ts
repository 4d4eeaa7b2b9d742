import { roleOf } from '../../accounts/membership-store.ts'
import { sessionIdentity, setSessionOrganization } from '../../accounts/session-store.ts'
import { identityOf } from '../../accounts/sign-in.ts'
import { SwitchOrganization } from '../../contract/session.ts'
import { AppError } from '../../errors.ts'
import { callerOf, route, sessionOf } from '../route.ts'

export const switchOrganization = route(SwitchOrganization, async (call) => {
  const { db, clock } = call.app
  const { organizationId } = call.body
  const role = await roleOf(db, organizationId, callerOf(call).identity.userId)
  if (role === undefined) throw notOne()

  await setSessionOrganization(db, sessionOf(call), organizationId)
  const identity = await sessionIdentity(db, sessionOf(call), clock())
  if (identity === undefined) throw notOne() // removed from it just now
  return identityOf(identity)
})

function notOne(): AppError {
  return new AppError('NOT_FOUND', 'You do not belong to such an organization.')
}
