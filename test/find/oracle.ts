// What both operations of finding must answer, said as plainly as possible: every fact about every
// record in an array, filtered and sorted. It shares nothing with the program but types.

import type { Platform } from '#src/contract/platform.ts'
import type { Record as WireRecord } from '#src/contract/record.ts'

/** All there is to know of a record. */
export interface Fact {
  id: string
  platform: Platform
  forumId: string
  subforum: string
  title: string
  body: string
  permalink: string
  url: string | null
  isImage: boolean
  score: number
  numComments: number
  createdAt: number
  author: string
  firstSeenAt: number
  /** Other channels it was seen in, in lower case. */
  listedIn: string[]
  matched: boolean
  /** Ids of the watchers that matched it. */
  matchedBy: string[]
  /** Whoever gave them. */
  tags: string[]
  read: boolean
  archived: boolean
  verification: WireRecord['verification']
  intent: WireRecord['intent']
  /** Taken down by its platform, or purged. */
  isGone: boolean
}

export interface ChannelName {
  platform: Platform
  subforum: string
}

export interface WatcherFact {
  id: string
  channels: ChannelName[]
  isDeleted: boolean
}

export interface Facts {
  records: Fact[]
  watchers: WatcherFact[]
}

export interface SearchRequest {
  q: string
  mode?: 'keyword'
  subforums?: string[]
  platforms?: string[]
  tags?: string[]
  watcher_id?: string
  min_score?: number
  min_comments?: number
  has_link?: boolean
  has_image?: boolean
  from?: string
  to?: string
  include_suppressed?: boolean
  include?: string[]
  exclude?: string[]
}

/** As it goes over the wire, without `limit` and `cursor`. */
export type WireRequest =
  | { operation: 'list'; query: Record<string, string> }
  | { operation: 'search'; body: SearchRequest }

export type Expected =
  | { kind: 'refused' }
  /** In the order they must come. */
  | { kind: 'found'; records: Fact[] }

interface Wanted {
  matchedOnly: boolean
  texts: string[]
  unwantedTexts: string[]
  subforums: string[]
  platforms: string[]
  tags: string[]
  watcherId: string | undefined
  minScore: number
  minComments: number
  linkOnly: boolean
  imageOnly: boolean
  from: number
  to: number
  suppressedToo: boolean
  read: boolean | undefined
  archived: boolean | undefined
  sort: 'createdAt' | 'firstSeenAt' | 'score' | 'numComments'
}

export function expectedOf(facts: Facts, request: WireRequest): Expected {
  const wanted = wantedOf(request)
  // Nobody means the NUL character, and it is refused wherever it is.
  const hasNul = JSON.stringify(request).includes(String.raw`\u0000`)
  if (hasNul || wanted.from > wanted.to) return { kind: 'refused' }
  const watcher = facts.watchers.find(({ id, isDeleted }) => id === wanted.watcherId && !isDeleted)
  const records = facts.records
    .filter((record) => !record.isGone)
    .filter((record) => passes(record, wanted))
    .filter((record) => wanted.tags.length === 0 || hasAnyTag(record, wanted.tags))
    .filter((record) => wanted.watcherId === undefined || isOf(record, watcher, request))
    .filter((record) => wanted.texts.every((text) => hasText(record, text)))
    .filter((record) => !wanted.unwantedTexts.some((text) => hasText(record, text)))
    .sort((one, other) => other[wanted.sort] - one[wanted.sort] || (one.id < other.id ? 1 : -1))
  return { kind: 'found', records }
}

function passes(record: Fact, wanted: Wanted): boolean {
  const conditions = [
    record.matched || !wanted.matchedOnly,
    wanted.platforms.length === 0 || wanted.platforms.includes(record.platform),
    wanted.subforums.length === 0 || wanted.subforums.includes(channelOf(record.subforum)),
    record.score >= wanted.minScore,
    record.numComments >= wanted.minComments,
    record.url !== null || !wanted.linkOnly,
    record.isImage || !wanted.imageOnly,
    record.createdAt >= wanted.from && record.createdAt <= wanted.to,
    record.verification !== 'coincidental' || wanted.suppressedToo,
    wanted.read === undefined || record.read === wanted.read,
    wanted.archived === undefined || record.archived === wanted.archived,
  ]
  return conditions.every(Boolean)
}

function hasAnyTag(record: Fact, tags: readonly string[]): boolean {
  return record.matched && record.tags.some((tag) => tags.includes(tag))
}

function isOf(record: Fact, watcher: WatcherFact | undefined, request: WireRequest): boolean {
  if (watcher === undefined) return false
  if (record.matchedBy.includes(watcher.id)) return true
  if (isMatchedView(request)) return false
  return watcher.channels.some(({ platform, subforum }) => {
    const seenIn = [channelOf(record.subforum), ...record.listedIn]
    return platform === record.platform && seenIn.includes(channelOf(subforum))
  })
}

function hasText({ title, body }: Fact, text: string): boolean {
  const looked = text.toLowerCase()
  return title.toLowerCase().includes(looked) || body.toLowerCase().includes(looked)
}

/** Channels compare like this: in lower case, without `r/`. */
export function channelOf(subforum: string): string {
  const name = subforum.trim().toLowerCase()
  return name.startsWith('r/') ? name.slice(2) : name
}

/** The record as it is answered; what its snippet must be is told apart. */
export function wireOf(record: Fact): Omit<WireRecord, 'snippet'> {
  return {
    id: record.id,
    platform: record.platform,
    forumId: record.forumId,
    subforum: record.subforum,
    title: record.title,
    permalink: record.permalink,
    url: record.url,
    score: record.score,
    numComments: record.numComments,
    forumCreatedAt: new Date(record.createdAt).toISOString(),
    author: record.author,
    hasLink: record.url !== null,
    tags: record.matched ? sorted(new Set(record.tags)) : [],
    matched: record.matched,
    intent: record.intent,
    verification: record.verification,
  }
}

/** By code points, as both engines sort; the sort of arrays is by halves of characters. */
function sorted(texts: Iterable<string>): string[] {
  return [...texts].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
}

/** The names that each channel a search covers may be called by, by channel. */
export function expectedChannels(facts: Facts, body: SearchRequest): Map<string, Set<string>> {
  const { platforms = [], watcher_id: watcherId } = body
  const subforums = (body.subforums ?? []).map(channelOf)
  const isAsked = ({ platform, subforum }: ChannelName) =>
    (platforms.length === 0 || platforms.includes(platform)) &&
    (subforums.length === 0 || subforums.includes(channelOf(subforum)))
  const watchers = facts.watchers.filter(({ isDeleted }) => !isDeleted)
  const watched = watchers.filter(({ id }) => watcherId === undefined || id === watcherId)
  const records = watcherId === undefined ? facts.records : []
  const there = [
    ...watched.flatMap(({ channels }) => channels),
    ...records.filter(({ isGone }) => !isGone),
  ].filter(isAsked)
  const names = new Map(there.map(({ subforum }) => [channelOf(subforum), new Set<string>()]))
  // A name that was first written by a record that is gone may stay.
  for (const { subforum } of [...there, ...records.filter(isAsked)]) {
    names.get(channelOf(subforum))?.add(subforum)
  }
  return names
}

function isMatchedView(request: WireRequest): boolean {
  return request.operation === 'list' && request.query['view'] === 'matched'
}

function wantedOf(request: WireRequest): Wanted {
  return request.operation === 'list' ? ofQuery(request) : ofBody(request.body)
}

function ofQuery(request: Extract<WireRequest, { operation: 'list' }>): Wanted {
  const { query } = request
  const matchedOnly = isMatchedView(request)
  const { read, archived = 'false', sort = 'firstSeenAt' } = query
  return {
    ...untouched,
    matchedOnly,
    texts: query['keyword'] === undefined ? [] : [query['keyword'].toWellFormed().trim()],
    subforums: listOf(query['subforums']).map(channelOf),
    platforms: listOf(query['platforms']),
    tags: matchedOnly ? listOf(query['tags']) : [],
    watcherId: query['watcher_id'],
    minScore: Number(query['min_score'] ?? -Infinity),
    minComments: Number(query['min_comments'] ?? -Infinity),
    linkOnly: query['has_link'] === 'true',
    imageOnly: query['has_image'] === 'true',
    from: beginningOf(query['from']),
    to: endOf(query['to']),
    suppressedToo: query['include_suppressed'] === 'true',
    ...(matchedOnly && {
      read: read === undefined ? undefined : read === 'true',
      archived: archived === 'true',
      sort: sort as Wanted['sort'],
    }),
  }
}

function ofBody(body: SearchRequest): Wanted {
  const { tags = [], include = [], exclude = [] } = body
  return {
    ...untouched,
    texts: [body.q.trim(), ...include].map((text) => text.toWellFormed()),
    unwantedTexts: exclude.map((text) => text.toWellFormed()),
    subforums: (body.subforums ?? []).map(channelOf),
    platforms: body.platforms ?? [],
    tags: tags.map((tag) => tag.toWellFormed()),
    watcherId: body.watcher_id,
    minScore: body.min_score ?? -Infinity,
    minComments: body.min_comments ?? -Infinity,
    linkOnly: body.has_link === true,
    imageOnly: body.has_image === true,
    from: beginningOf(body.from),
    to: endOf(body.to),
    suppressedToo: body.include_suppressed === true,
  }
}

const untouched: Pick<Wanted, 'matchedOnly' | 'unwantedTexts' | 'read' | 'archived' | 'sort'> = {
  matchedOnly: false,
  unwantedTexts: [],
  read: undefined,
  archived: undefined,
  sort: 'createdAt',
}

function listOf(text = ''): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

const A_DAY = /^\d{4}-\d\d-\d\d$/

function beginningOf(text: string | undefined): number {
  if (text === undefined) return -Infinity
  return Date.parse(A_DAY.test(text) ? `${text}T00:00:00.000Z` : text)
}

function endOf(text: string | undefined): number {
  if (text === undefined) return Infinity
  return Date.parse(A_DAY.test(text) ? `${text}T23:59:59.999Z` : text)
}
