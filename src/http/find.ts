// What the routes of lists and searches share: from a request that is valid to its page.

import type { App } from '../app.ts'
import type { Record } from '../contract/record.ts'
import { makeCursor, readCursor } from '../records/cursor.ts'
import { findPage } from '../records/find-page.ts'
import type { Finding } from '../records/finding.ts'
import { presentRecord } from '../records/present-record.ts'
import type { Wanted } from '../records/wanted.ts'
import { channelsOf, watcherById } from '../watchers/watcher-store.ts'

export interface Asked {
  operation: string
  organizationId: string
  wanted: Wanted
  limit: number
  cursor: string | undefined
  /** What a search is for: snippets show it. */
  shownTerm: string | null
}

export interface Page {
  items: Record[]
  nextCursor: string | null
}

/** Null when a watcher is named that the organization does not have: then there is nothing to find. */
export async function findingOf(app: App, asked: Asked): Promise<Finding | null> {
  const { organizationId, wanted, shownTerm } = asked
  const finding = { engine: app.database.engine, organizationId, wanted, shownTerm }
  const { watcherId } = wanted
  if (watcherId === null) return { ...finding, watch: null }

  const key = { organizationId, id: watcherId }
  const [watcher, channels] = await Promise.all([watcherById(app.db, key), channelsOf(app.db, key)])
  if (watcher === undefined) return null
  const watched = channels.map(({ platform, key: channel, subforum }) => ({
    platform,
    channel,
    subforum,
  }))
  return { ...finding, watch: { id: watcherId, channels: watched } }
}

export async function pageOf(app: App, asked: Asked, finding: Finding | null): Promise<Page> {
  const { operation, organizationId, wanted, limit, cursor, shownTerm } = asked
  const continued = { operation, organizationId, wanted }
  const behind = cursor === undefined ? null : readCursor(app.cursorKey, continued, cursor)
  if (finding === null) return { items: [], nextCursor: null }

  const timeoutMs = app.config.database.queryTimeoutMs
  const { records, next } = await findPage(app.db, finding, { limit, behind, timeoutMs })
  return {
    items: records.map((record) => presentRecord(record, shownTerm)),
    nextCursor: next === null ? null : makeCursor(app.cursorKey, continued, next),
  }
}
