import { channelKey } from '../contract/platform.ts'
import type { EngineName, Trx } from '../db/database.ts'
import { allocateKeys, type KeyPlace } from './allocate-keys.ts'
import { DATASET } from './dataset.ts'
import { identity, verificationOf, type KeepTerms, type PlacedPost } from './kept-post.ts'
import { likelyKeys, recordIdOf } from '../db/record-key.ts'
import { changingColumns, fixedColumns } from './record-row.ts'
import { insertRecords, type RecordRow } from './record-store.ts'
import { TEXT_INDEX } from './text-index.ts'

/** Posts the organization does not have yet. */
export async function addRecords(
  trx: Trx,
  engine: EngineName,
  terms: KeepTerms,
): Promise<PlacedPost[]> {
  const { organizationId, posts, matchesOf } = terms
  const keys = likelyKeys(
    posts.map((post) => ({
      createdAt: post.createdAt,
      name: `${organizationId}/${identity(post)}`,
    })),
  )
  const placed = posts.map((post, index) => ({
    post,
    key: keys[index] ?? 0,
    channel: channelKey(post.subforum),
    matches: matchesOf(post),
  }))
  const stored = await insertPlaced(trx, engine, { placed, terms })
  const unlucky = placed.filter(({ key }) => !stored.has(key))
  await moveToFreeKeys(trx, { dataset: DATASET[engine], organizationId }, unlucky)
  const moved = await insertPlaced(trx, engine, { placed: unlucky, terms })
  if (moved.size < unlucky.length) throw new Error('A key that was free is taken.')
  return placed
}

async function insertPlaced(
  trx: Trx,
  engine: EngineName,
  { placed, terms }: { placed: readonly PlacedPost[]; terms: KeepTerms },
): Promise<Set<number>> {
  const rows = placed.map((one) => newRow(one, terms))
  const stored = await insertRecords(trx, rows)
  const texts = rows.filter(({ key }) => stored.has(key))
  await TEXT_INDEX[engine].put(trx, terms.organizationId, texts)
  return stored
}

async function moveToFreeKeys(
  trx: Trx,
  place: KeyPlace,
  placed: readonly PlacedPost[],
): Promise<void> {
  if (placed.length === 0) return
  const times = placed.map(({ post }) => post.createdAt)
  const keys = await allocateKeys(trx, place, times)
  for (const [index, one] of placed.entries()) one.key = keys[index] ?? 0
}

function newRow({ post, key, matches }: PlacedPost, terms: KeepTerms): RecordRow {
  const changing = changingColumns(post)
  return {
    key,
    organization_id: terms.organizationId,
    id: recordIdOf(key),
    ...fixedColumns(post),
    ...changing,
    score: changing.score ?? 0,
    num_comments: changing.num_comments ?? 0,
    matched: matches.length > 0 ? 1 : 0,
    verification: verificationOf(matches),
    first_seen_at: terms.now,
    removed_at: null,
    intent: 'DISCUSSING',
    read: 0,
    archived: 0,
  }
}
