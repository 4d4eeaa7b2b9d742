// Rules that were changed are applied to what is stored, page by page; or only tried, to tell
// beforehand what that would do.

import type { Platform } from '../contract/platform.ts'
import type { Db, EngineName, Trx } from '../db/database.ts'
import { DATASET } from './dataset.ts'
import type { PostMatch } from './kept-post.ts'
import { matchChanges, orphanedTags, type MatchChanges } from './match-changes.ts'
import {
  deleteMatches,
  deleteRuleTags,
  insertMatches,
  insertRuleTags,
  matchesOfRecords,
} from './match-store.ts'
import { markMatched, markNothingToJudge, markUnmatched } from './record-store.ts'
import { recordsListedIn, recordsOfChannel, type StoredPost } from './stored-post-store.ts'

const RECORDS_A_PAGE = 200

export interface Rematch {
  organizationId: string
  watcherId: string
  channels: readonly { platform: Platform; channel: string }[]
  match(post: StoredPost): PostMatch | undefined
}

export interface RematchPage {
  records: readonly StoredPost[]
  changes: MatchChanges
}

/** What the rules would change, for every stored record of the watcher's channels. */
export async function* rematchPages(db: Db, rematch: Rematch): AsyncGenerator<RematchPage> {
  for (const { platform, channel } of rematch.channels) {
    for (const readPage of [recordsOfChannel, recordsListedIn]) {
      let belowKey: number | null = null
      for (;;) {
        const place = { platform, channel, belowKey, limit: RECORDS_A_PAGE }
        const records: StoredPost[] = await readPage(db, { ...rematch, ...place })
        const last = records.at(-1)
        if (last === undefined) break
        belowKey = last.key
        yield await pageOf(db, rematch, records)
      }
    }
  }
}

async function pageOf(
  db: Db,
  { organizationId, watcherId, match }: Rematch,
  records: readonly StoredPost[],
): Promise<RematchPage> {
  const keys = records.map(({ key }) => key)
  const before = await matchesOfRecords(db, { organizationId, watcherId }, keys)
  return { records, changes: matchChanges(before, matchesByKey(records, match)) }
}

function matchesByKey(
  records: readonly StoredPost[],
  match: Rematch['match'],
): Map<number, PostMatch> {
  const found = new Map<number, PostMatch>()
  for (const record of records) {
    const one = match(record)
    if (one !== undefined) found.set(record.key, one)
  }
  return found
}

export interface RematchPlace {
  engine: EngineName
  organizationId: string
  watcherId: string
  now: number
}

/** Applies a page. Matches that stay are written anew: they tell of the new rules. */
export async function applyRematch(
  trx: Trx,
  { engine, organizationId, watcherId, now }: RematchPlace,
  { added, kept, dropped }: MatchChanges,
): Promise<void> {
  await DATASET[engine].hold(trx, organizationId)
  const keysOf = (rows: readonly { recordKey: number }[]) => rows.map(({ recordKey }) => recordKey)
  const touched = keysOf([...kept, ...dropped])
  const before = await matchesOfRecords(trx, { organizationId, watcherId }, touched)
  await deleteMatches(trx, { organizationId, watcherId }, touched)
  const after = [...added, ...kept]
  await insertMatches(trx, { organizationId, now }, after)

  const remaining = await matchesOfRecords(trx, { organizationId }, touched)
  await deleteRuleTags(trx, organizationId, orphanedTags(before, remaining))
  await insertRuleTags(
    trx,
    organizationId,
    after.flatMap(({ recordKey, tags }) => tags.map((tag) => ({ recordKey, tag }))),
  )

  const byTerm = Map.groupBy(after, ({ term }) => (term === null ? 'clear' : 'pending'))
  for (const [verification, rows] of byTerm) {
    await markMatched(trx, { organizationId, verification }, keysOf(rows))
  }
  const still = new Set(keysOf(remaining))
  const judged = new Set(keysOf(remaining.filter(({ term }) => term !== null)))
  const unjudged = [...still].filter((key) => !judged.has(key))
  await markNothingToJudge(trx, organizationId, unjudged)
  await markUnmatched(
    trx,
    organizationId,
    keysOf(dropped).filter((key) => !still.has(key)),
  )
}
