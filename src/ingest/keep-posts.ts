// Ingest makes records of posts: it stores what a crawl or an import brings, with what the rules
// said of it, and the runs and events that tell of it. It fetches nothing and matches nothing
// itself.

import type { EngineName, Trx } from '../db/database.ts'
import { chunksOf } from '../lib/chunks.ts'
import type { Post } from '../sources/post.ts'
import { addRecords } from './add-records.ts'
import { insertDatasetChannels } from './dataset-channel-store.ts'
import { DATASET, type KnownRecord } from './dataset.ts'
import {
  identity,
  verificationOf,
  type KeepTerms,
  type Kept,
  type PlacedPost,
} from './kept-post.ts'
import { insertListings } from './listing-store.ts'
import { insertMatches, insertRuleTags } from './match-store.ts'
import { changingColumns } from './record-row.ts'
import { markMatched, updateRecords } from './record-store.ts'
import { TEXT_INDEX } from './text-index.ts'

/** Bounds the parameters of a statement, and how long the database works on one. */
const ROWS_PER_STATEMENT = 500

/** Stores posts as records of one organization, each once, in the transaction given. */
export async function keepPosts(trx: Trx, engine: EngineName, terms: KeepTerms): Promise<Kept> {
  await DATASET[engine].hold(trx, terms.organizationId)
  const kept: Kept = { added: 0, known: 0 }
  for (const chunk of chunksOf(eachOnce(terms.posts), ROWS_PER_STATEMENT)) {
    const { added, known } = await keepChunk(trx, engine, { ...terms, posts: chunk })
    kept.added += added
    kept.known += known
  }
  return kept
}

async function keepChunk(trx: Trx, engine: EngineName, terms: KeepTerms): Promise<Kept> {
  const known = await knownOf(trx, engine, terms)
  const unknown = terms.onlyKnown ? [] : terms.posts.filter((post) => !known.has(identity(post)))
  const added = await addRecords(trx, engine, { ...terms, posts: unknown })
  const updated = await updateKnown(trx, engine, { terms, known })
  const revived = updated.filter(({ post }) => known.get(identity(post))?.removedAt !== null)
  await keepChannels(trx, terms.organizationId, [...added, ...revived])
  const placed = [...added, ...updated]
  await keepListings(trx, terms, placed)
  await keepMatches(trx, terms, placed)
  return { added: added.length, known: known.size }
}

async function knownOf(
  trx: Trx,
  engine: EngineName,
  terms: KeepTerms,
): Promise<Map<string, KnownRecord>> {
  const known = new Map<string, KnownRecord>()
  for (const [platform, posts] of Map.groupBy(terms.posts, (post) => post.platform)) {
    const ids = posts.map(({ forumId }) => forumId)
    const place = { organizationId: terms.organizationId, platform }
    for (const record of await DATASET[engine].known(trx, place, ids)) {
      known.set(`${platform}/${record.forumId}`, record)
    }
  }
  return known
}

async function updateKnown(
  trx: Trx,
  engine: EngineName,
  { terms, known }: { terms: KeepTerms; known: ReadonlyMap<string, KnownRecord> },
): Promise<PlacedPost[]> {
  const { organizationId, posts, matchesOf, live } = terms
  const placed: PlacedPost[] = []
  const newlyMatched = { clear: [] as number[], pending: [] as number[] }
  for (const post of posts) {
    const record = known.get(identity(post))
    if (record === undefined || (record.removedAt !== null && !live)) continue
    const matches = matchesOf(post)
    placed.push({ post, key: record.key, channel: record.channel, matches })
    if (matches.length > 0) newlyMatched[verificationOf(matches)].push(record.key)
  }
  const rows = placed.map(({ post, key }) => ({ key, ...changingColumns(post) }))
  const texts = await TEXT_INDEX[engine].differing(trx, organizationId, rows)
  await updateRecords(trx, { engine, organizationId }, rows)
  await TEXT_INDEX[engine].put(trx, organizationId, texts)
  await markMatched(trx, { organizationId, verification: 'clear' }, newlyMatched.clear)
  await markMatched(trx, { organizationId, verification: 'pending' }, newlyMatched.pending)
  return placed
}

async function keepChannels(
  trx: Trx,
  organizationId: string,
  placed: readonly PlacedPost[],
): Promise<void> {
  const channels = placed.map(({ post: { platform, subforum }, channel }) => ({
    platform,
    channel,
    subforum,
  }))
  await insertDatasetChannels(trx, organizationId, channels)
}

async function keepListings(
  trx: Trx,
  { organizationId, channel }: KeepTerms,
  placed: readonly PlacedPost[],
): Promise<void> {
  if (channel === null) return
  const elsewhere = placed.filter((one) => one.channel !== channel)
  for (const [platform, some] of Map.groupBy(elsewhere, ({ post }) => post.platform)) {
    const listed = some.map(({ key }) => ({ recordKey: key, channel }))
    await insertListings(trx, { organizationId, platform }, listed)
  }
}

async function keepMatches(
  trx: Trx,
  { organizationId, now }: KeepTerms,
  placed: readonly PlacedPost[],
): Promise<void> {
  const matches = placed.flatMap(({ key, matches: found }) =>
    found.map((match) => ({ ...match, recordKey: key })),
  )
  const tags = matches.flatMap(({ recordKey, tags: given }) =>
    given.map((tag) => ({ recordKey, tag })),
  )
  for (const chunk of chunksOf(matches, ROWS_PER_STATEMENT)) {
    await insertMatches(trx, { organizationId, now }, chunk)
  }
  for (const chunk of chunksOf(tags, ROWS_PER_STATEMENT)) {
    await insertRuleTags(trx, organizationId, chunk)
  }
}

/** The last one wins: of two states of a post it is the newer in a file, and in no listing twice. */
function eachOnce(posts: readonly Post[]): Post[] {
  return [...new Map(posts.map((post) => [identity(post), post])).values()]
}
