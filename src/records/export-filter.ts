import type { StoredMatch, StoredRecord } from './record-page-store.ts'
import type { Wanted } from './wanted.ts'

export interface ExportFilter extends Pick<
  Wanted,
  | 'matchedOnly'
  | 'platforms'
  | 'channels'
  | 'tags'
  | 'watcherId'
  | 'minScore'
  | 'minComments'
  | 'fromAt'
  | 'toAt'
> {
  keyword: string | null
}

export interface Candidate extends StoredRecord {
  tags: readonly string[]
  matches: readonly StoredMatch[]
}

export function isWanted(record: Candidate, filter: ExportFilter): boolean {
  return [
    !filter.matchedOnly || record.matched === 1,
    isAnyOf(record.platform, filter.platforms),
    isAnyOf(record.channel, filter.channels),
    filter.tags.length === 0 || record.tags.some((tag) => filter.tags.includes(tag)),
    isMatchedBy(record, filter.watcherId),
    record.score >= (filter.minScore ?? -Infinity),
    record.numComments >= (filter.minComments ?? -Infinity),
    record.createdAt >= (filter.fromAt ?? -Infinity),
    record.createdAt <= (filter.toAt ?? Infinity),
    filter.keyword === null || record.text.includes(filter.keyword.toLowerCase()),
  ].every(Boolean)
}

function isAnyOf(value: string, accepted: readonly string[]): boolean {
  return accepted.length === 0 || accepted.includes(value)
}

function isMatchedBy({ matches }: Candidate, wanted: string | null): boolean {
  return wanted === null || matches.some(({ watcherId }) => watcherId === wanted)
}
