// An import reads lines, makes posts of them and stores them batch by batch, each batch with how far
// the import has come: one that was cut off goes on where it was, and nothing is counted twice.

import type { Database } from '../db/database.ts'
import type { Clock } from '../lib/clock.ts'
import { linesOf } from '../lib/lines.ts'
import type { Post } from '../sources/post.ts'
import {
  forgetProgress,
  importProgress,
  saveProgress,
  type ImportKey,
  type ImportProgress,
} from './import-store.ts'
import { keepPosts } from './keep-posts.ts'
import type { PostMatch } from './kept-post.ts'
import { readPostLine } from './read-post-line.ts'

const POSTS_A_BATCH = 500
const LONGEST_LINE_BYTES = 1_048_576

export interface ImportContext {
  database: Database
  clock: Clock
  /** What the organization's rules say of these posts. */
  match(posts: readonly Post[]): Promise<(post: Post) => readonly PostMatch[]>
}

export interface ImportTerms {
  organizationId: string
  /** Null for a stream that cannot be read again. */
  source: string | null
  bytes: AsyncIterable<Uint8Array>
  signal: AbortSignal
  onProgress(progress: ImportProgress): void
  onBadLine(line: number, reason: string): void
}

export async function importPosts(
  context: ImportContext,
  terms: ImportTerms,
): Promise<ImportProgress> {
  const { organizationId, source } = terms
  const key = source === null ? null : { organizationId, source }
  const before = key && (await importProgress(context.database.db, key))
  const progress = before ?? { lines: 0, imported: 0, updated: 0, rejected: 0 }

  for await (const { posts, lines, rejected } of batchesOf(terms, progress.lines)) {
    progress.lines = lines
    progress.rejected += rejected
    await keepBatch(context, { organizationId, key, posts, progress })
    terms.onProgress(progress)
    terms.signal.throwIfAborted()
  }
  if (key !== null) await forgetProgress(context.database.db, key)
  return progress
}

interface LinesRead {
  posts: Post[]
  /** How far the file has been read. */
  lines: number
  rejected: number
}

async function* batchesOf(
  { bytes, onBadLine }: ImportTerms,
  skip: number,
): AsyncGenerator<LinesRead> {
  let batch: LinesRead = { posts: [], lines: 0, rejected: 0 }
  for await (const lines of linesOf(bytes, LONGEST_LINE_BYTES)) {
    for (const text of lines) {
      batch.lines += 1
      if (batch.lines <= skip) continue
      const read = readPostLine(text)
      if (read.kind === 'post') batch.posts.push(read.post)
      if (read.kind === 'bad') {
        batch.rejected += 1
        onBadLine(batch.lines, read.reason)
      }
      if (batch.posts.length < POSTS_A_BATCH) continue
      yield batch
      batch = { posts: [], lines: batch.lines, rejected: 0 }
    }
  }
  yield batch
}

interface Batch {
  organizationId: string
  key: ImportKey | null
  posts: readonly Post[]
  progress: ImportProgress
}

async function keepBatch(
  { database, clock, match }: ImportContext,
  { organizationId, key, posts, progress }: Batch,
): Promise<void> {
  const matchesOf = await match(posts)
  const now = clock()
  await database.db.transaction().execute(async (trx) => {
    const terms = { organizationId, posts, channel: null, matchesOf, now, live: false }
    const { added } = await keepPosts(trx, database.engine, terms)
    progress.imported += added
    progress.updated += posts.length - added
    if (key !== null) await saveProgress(trx, key, { progress, now })
  })
}
