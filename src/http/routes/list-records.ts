import { ListRecords } from '../../contract/list-records.ts'
import { wantedByList } from '../../records/wanted.ts'
import { findingOf, jsonPageOf, pageOf } from '../find.ts'
import { callerOf, route } from '../route.ts'

export const listRecords = route(ListRecords, async (call) => {
  const { app, query } = call
  const { organizationId } = callerOf(call).identity
  const asked = {
    operation: ListRecords.id,
    organizationId,
    wanted: wantedByList(query),
    limit: query.limit,
    cursor: query.cursor,
    shownTerm: null,
  }
  const finding = await findingOf(app, asked)
  return (await jsonPageOf(app, asked, finding)) ?? pageOf(app, asked, finding)
})
