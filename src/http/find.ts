// What the routes of lists and searches share: from a request that is valid to its page.

import type { App } from '../app.ts'
import type { Record } from '../contract/record.ts'
import { makeCursor, readCursor } from '../lib/page-cursor.ts'
import { findPage } from '../records/find-page.ts'
import type { Finding } from '../records/finding.ts'
import { jsonPage, makesJson } from '../records/newest-page.ts'
import type { Position } from '../records/position.ts'
import { presentRecord } from '../records/present-record.ts'
import type { Wanted } from '../records/wanted.ts'
import { channelsOf, watcherById } from '../watchers/watcher-store.ts'
import { JsonBytes } from './json-bytes.ts'

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
  const { terms, cursorOf } = continuation(app, asked)
  if (finding === null) return { items: [], nextCursor: null }

  const { records, next } = await findPage(app.db, finding, terms)
  return {
    items: records.map((record) => presentRecord(record, asked.shownTerm)),
    nextCursor: cursorOf(next),
  }
}

/** The same, where the database makes the JSON of it; null where it does not. */
export async function jsonPageOf(
  app: App,
  asked: Asked,
  finding: Finding | null,
): Promise<JsonBytes | null> {
  if (finding === null || !makesJson(finding)) return null
  const { terms, cursorOf } = continuation(app, asked)
  const page = await jsonPage(app.db, finding, terms)
  if (page === null) return null
  const nextCursor = JSON.stringify(cursorOf(page.next))
  return new JsonBytes('{"items":', page.items, `,"nextCursor":${nextCursor}}`)
}

/** Where the page begins, and how its end is told. */
function continuation(app: App, asked: Asked) {
  const { operation, organizationId, wanted, limit, cursor } = asked
  const continued = { operation, organizationId, wanted }
  const behind =
    cursor === undefined ? null : readCursor<Position>(app.cursorKey, continued, cursor)
  return {
    terms: { limit, behind, timeoutMs: app.config.database.queryTimeoutMs },
    cursorOf: (next: Position | null) =>
      next === null ? null : makeCursor(app.cursorKey, continued, next),
  }
}
