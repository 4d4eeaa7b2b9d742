import { ChangeRecords } from '../../contract/change-records.ts'
import { changeRecords as change } from '../../ingest/change-records.ts'
import { callerOf, route } from '../route.ts'

export const changeRecords = route(ChangeRecords, async (call) => {
  const { organizationId } = callerOf(call).identity
  return { changed: await change(call.app.database, organizationId, call.body) }
})
