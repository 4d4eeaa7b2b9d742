// What the routes call, without HTTP around it, and without the names of the channels that a search
// tells beside its page: the requests over HTTP have them.

import type { App } from '../src/app.ts'
import { ListRecords } from '../src/contract/list-records.ts'
import { Search } from '../src/contract/search.ts'
import { findingOf, pageOf, type Page } from '../src/http/find.ts'
import { wantedByList, wantedBySearch } from '../src/records/wanted.ts'
import { list, type DeepPage, type Request } from './find-cases.ts'

export async function find(app: App, organizationId: string, request: Request): Promise<Page> {
  const asked =
    request.kind === 'list'
      ? {
          ...pick(request.query),
          operation: ListRecords.id,
          wanted: wantedByList(request.query),
          shownTerm: null,
        }
      : {
          ...pick(request.body),
          operation: Search.id,
          wanted: wantedBySearch(request.body),
          shownTerm: request.body.q.toLowerCase(),
        }
  const finding = await findingOf(app, { ...asked, organizationId })
  return pageOf(app, { ...asked, organizationId }, finding)
}

function pick({ limit, cursor }: { limit: number; cursor?: string | undefined }) {
  return { limit, cursor }
}

const DEEP_LIMIT = 40
const DEEP_PAGE = 1_000

/** By the cursors of all pages before it, as a client gets there. */
export async function walkToDeepPage(app: App, organizationId: string): Promise<DeepPage> {
  const limit = String(DEEP_LIMIT)
  let cursor: string | undefined
  for (let page = 1; page < DEEP_PAGE; page += 1) {
    const request = list(cursor === undefined ? { limit } : { limit, cursor })
    const { nextCursor } = await find(app, organizationId, request)
    if (nextCursor === null) throw new Error('There are not enough records for a deep page.')
    cursor = nextCursor
  }
  return { cursor: cursor ?? '', limit: DEEP_LIMIT, offset: (DEEP_PAGE - 1) * DEEP_LIMIT }
}
