import { organizationsOf } from '../../accounts/membership-store.ts'
import { ListOrganizations } from '../../contract/session.ts'
import { callerOf, route } from '../route.ts'

export const listOrganizations = route(ListOrganizations, async (call) => ({
  items: await organizationsOf(call.app.db, callerOf(call).identity.userId),
}))
