// Ingest makes records of posts: it stores what a crawl or an import brings, with what the rules
// said of it, and the runs and events that tell of it. It fetches nothing and matches nothing
// itself.

import type { EngineName, Trx } from '../db/database.ts'
import { chunksOf } from '../lib/chunks.ts'
import type { Post } from '../sources/post.ts'
import { allocateKeys, type KeyPlace } from './allocate-keys.ts'
import { DATASET, type KnownRecord } from './dataset.ts'
import { insertMatches, insertRuleTags } from './match-store.ts'
import { likelyKeys, recordIdOf } from './record-key.ts'
import { changingColumns, fixedColumns } from './record-row.ts'
import { insertRecords, markMatched, updateRecords, type RecordRow } from './record-store.ts'

/** Bounds the parameters of a statement, and how long the database works on one. */
const ROWS_PER_STATEMENT = 500

export interface PostMatch {
  watcherId: string
  ruleIndex: number
  term: string | null
  field: string | null
  position: number | null
  tags: readonly string[]
}

export interface KeepTerms {
  organizationId: string
  posts: readonly Post[]
  /** What this organization's rules say of a post. */
  matchesOf(post: Post): readonly PostMatch[]
  now: number
  /** Seen on its platform just now: a record that was removed there is there again. */
  live: boolean
  /** Only brings up to date what the organization has. */
  onlyKnown?: boolean
}

export interface Kept {
  /** Records the organization did not have. */
  added: number
  /** Those it had, changed or not. */
  known: number
}

interface PlacedPost {
  post: Post
  key: number
  matches: readonly PostMatch[]
}

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
  await keepMatches(trx, terms, [...added, ...updated])
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

async function addRecords(trx: Trx, engine: EngineName, terms: KeepTerms): Promise<PlacedPost[]> {
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
    matches: matchesOf(post),
  }))
  const stored = await insertPlaced(trx, placed, terms)
  const unlucky = placed.filter(({ key }) => !stored.has(key))
  await moveToFreeKeys(trx, { dataset: DATASET[engine], organizationId }, unlucky)
  await insertPlaced(trx, unlucky, terms)
  return placed
}

function insertPlaced(
  trx: Trx,
  placed: readonly PlacedPost[],
  terms: KeepTerms,
): Promise<Set<number>> {
  return insertRecords(
    trx,
    placed.map((one) => newRow(one, terms)),
  )
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
  }
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
    placed.push({ post, key: record.key, matches })
    if (matches.length > 0) newlyMatched[verificationOf(matches)].push(record.key)
  }
  const rows = placed.map(({ post, key }) => ({ key, ...changingColumns(post) }))
  await updateRecords(trx, { engine, organizationId }, rows)
  await markMatched(trx, { organizationId, verification: 'clear' }, newlyMatched.clear)
  await markMatched(trx, { organizationId, verification: 'pending' }, newlyMatched.pending)
  return placed
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

/** Only a term that was found is a keyword match that somebody could judge. */
function verificationOf(matches: readonly PostMatch[]): 'clear' | 'pending' {
  return matches.some(({ term }) => term !== null) ? 'pending' : 'clear'
}

function identity({ platform, forumId }: Pick<Post, 'platform' | 'forumId'>): string {
  return `${platform}/${forumId}`
}

/** The last one wins: of two states of a post it is the newer in a file, and in no listing twice. */
function eachOnce(posts: readonly Post[]): Post[] {
  return [...new Map(posts.map((post) => [identity(post), post])).values()]
}
