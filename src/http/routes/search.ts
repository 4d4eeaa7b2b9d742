import { Search } from '../../contract/search.ts'
import { AppError } from '../../errors.ts'
import { coveredChannels } from '../../records/covered-channels.ts'
import { wantedBySearch } from '../../records/wanted.ts'
import { findingOf, pageOf } from '../find.ts'
import { callerOf, route } from '../route.ts'

export const search = route(Search, async (call) => {
  const { app, body } = call
  if (body.mode === 'semantic') throw semanticUnavailable()

  const { organizationId } = callerOf(call).identity
  const asked = {
    operation: Search.id,
    organizationId,
    wanted: wantedBySearch(body),
    limit: body.limit,
    cursor: body.cursor,
    shownTerm: body.q.toLowerCase(),
  }
  const finding = await findingOf(app, asked)
  const [page, channels] = await Promise.all([
    pageOf(app, asked, finding),
    finding === null ? [] : coveredChannels(app.db, finding),
  ])
  return { ...page, mode: body.mode, tier: 'quick' as const, embeddedCount: 0, channels }
})

function semanticUnavailable(): AppError {
  return new AppError(
    'SEMANTIC_UNAVAILABLE',
    'Search by meaning needs embeddings, which this installation does not have. Use `mode: keyword` instead.',
  )
}
