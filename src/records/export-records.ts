import type { Db } from '../db/database.ts'
import { isoTime } from '../lib/iso-time.ts'
import { isWanted, type Candidate, type ExportFilter } from './export-filter.ts'
import {
  matchesOfRecords,
  recordPage,
  tagsOfRecords,
  type StoredMatch,
  type StoredRecord,
} from './record-page-store.ts'

const RECORDS_A_PAGE = 500

/** The fields in their order: also the columns of a CSV. An import reads the same shape. */
export interface ExportedRecord {
  id: string
  platform: string
  forumId: string
  subforum: string
  title: string
  body: string
  permalink: string
  url: string | null
  score: number
  numComments: number
  forumCreatedAt: string
  author: string
  matched: boolean
  tags: readonly string[]
  verification: string
  firstSeenAt: string
  /** Which watcher found it, by which rule and term, and where. Not in a CSV. */
  matches: readonly StoredMatch[]
}

/** Newest first, a page at a time: memory does not grow with the dataset. */
export async function* exportRecords(
  db: Db,
  organizationId: string,
  filter: ExportFilter,
): AsyncGenerator<ExportedRecord[]> {
  let belowKey: number | null = null
  for (;;) {
    const page: StoredRecord[] = await recordPage(db, {
      organizationId,
      belowKey,
      limit: RECORDS_A_PAGE,
    })
    const last = page.at(-1)
    if (last === undefined) return
    belowKey = last.key
    const candidates = await candidatesOf(db, organizationId, page)
    yield candidates.filter((one) => isWanted(one, filter)).map(exportedRecord)
    if (filter.fromAt !== null && last.createdAt < filter.fromAt) return
  }
}

async function candidatesOf(
  db: Db,
  organizationId: string,
  page: readonly StoredRecord[],
): Promise<Candidate[]> {
  const keys = page.map(({ key }) => key)
  const tags = await tagsOfRecords(db, organizationId, keys)
  const matches = await matchesOfRecords(db, organizationId, keys)
  return page.map((record) => ({
    ...record,
    tags: tags.get(record.key) ?? [],
    matches: matches.get(record.key) ?? [],
  }))
}

function exportedRecord(record: Candidate): ExportedRecord {
  return {
    id: record.id,
    platform: record.platform,
    forumId: record.forumId,
    subforum: record.subforum,
    title: record.title,
    body: record.body,
    permalink: record.permalink,
    url: record.url,
    score: record.score,
    numComments: record.numComments,
    forumCreatedAt: isoTime(record.createdAt),
    author: record.author,
    matched: record.matched === 1,
    tags: record.tags,
    verification: record.verification,
    firstSeenAt: isoTime(record.firstSeenAt),
    matches: record.matches,
  }
}
