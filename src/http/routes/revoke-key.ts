import { withdrawKey } from '../../accounts/withdraw-key.ts'
import { RevokeKey } from '../../contract/key.ts'
import { callerOf, route } from '../route.ts'

export const revokeKey = route(RevokeKey, async (call) => {
  const { app, params } = call
  const { organizationId } = callerOf(call).identity
  await withdrawKey(app.db, { organizationId, id: params.id }, app.clock())
  return {}
})
