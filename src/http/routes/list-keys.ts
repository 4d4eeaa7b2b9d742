import { keysOf } from '../../accounts/key-store.ts'
import { presentKey } from '../../accounts/present-key.ts'
import { ListKeys } from '../../contract/key.ts'
import { callerOf, route } from '../route.ts'

export const listKeys = route(ListKeys, async (call) => {
  const keys = await keysOf(call.app.db, callerOf(call).identity.organizationId)
  return { items: keys.map(presentKey) }
})
