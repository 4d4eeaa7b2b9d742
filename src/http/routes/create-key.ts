import { issueKey } from '../../accounts/issue-key.ts'
import { CreateKey } from '../../contract/key.ts'
import { callerOf, route } from '../route.ts'

export const createKey = route(CreateKey, (call) => {
  const { app, body } = call
  const { organizationId, userId } = callerOf(call).identity
  return issueKey(app.db, { organizationId, personId: userId, ...body }, app.clock())
})
