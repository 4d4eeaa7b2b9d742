// What is asked for. Every case has several examples, so that no figure hangs on one term.

import { ListRecords, type RecordQuery } from '../src/contract/list-records.ts'
import { Search, type SearchBody } from '../src/contract/search.ts'
import type { FindDataset } from './find-dataset.ts'

export type Request =
  | { kind: 'list'; given: Record<string, string>; query: RecordQuery; offset: number }
  | { kind: 'search'; given: Record<string, unknown>; body: SearchBody }

export interface Case {
  name: string
  /** For p95, at a million records on SQLite. */
  goalMs: number | null
  requests: Request[]
  /** How much of a bare server's throughput is wanted over HTTP; null does not say. */
  http?: { share: number | null }
}

export interface DeepPage {
  cursor: string
  limit: number
  offset: number
}

export function list(given: Record<string, string>, offset = 0): Request {
  return { kind: 'list', given, query: ListRecords.query.parse(given), offset }
}

function search(given: Record<string, unknown>): Request {
  return { kind: 'search', given, body: Search.body.parse(given) }
}

export function casesOf(dataset: FindDataset, deep: DeepPage): Case[] {
  return [...pageCases(dataset, deep), ...termCases(dataset), ...matchedCases(dataset)]
}

function pageCases(dataset: FindDataset, { cursor, limit, offset }: DeepPage): Case[] {
  const [one, other] = dataset.watchers
  const { from, to } = dataset
  const channels = dataset.watchers.flatMap(({ subforums }) => subforums)
  const every = { platforms: 'forum', min_comments: '1', has_link: 'true', has_image: 'true' }
  return [
    { name: 'newest page', goalMs: 2, requests: [list({})], http: { share: 0.5 } },
    {
      name: 'page 1,000 of 40',
      goalMs: 2,
      requests: [list({ limit: String(limit), cursor }, offset)],
    },
    {
      name: 'channel and score',
      goalMs: null,
      requests: channels.map((channel) => list({ subforums: channel, min_score: '100' })),
    },
    {
      name: 'watcher',
      goalMs: null,
      requests: [one, other].map((watcher) => list({ watcher_id: watcher?.id ?? '' })),
    },
    {
      name: 'all filters',
      goalMs: null,
      requests: [
        list({
          ...every,
          subforums: channels.join(','),
          watcher_id: one?.id ?? '',
          min_score: '50',
          from,
          to,
          keyword: 'first',
        }),
        search({
          q: 'the',
          include: ['this'],
          exclude: ['reddit'],
          subforums: channels,
          platforms: ['forum'],
          tags: ['lead'],
          watcher_id: one?.id ?? '',
          min_score: 10,
          min_comments: 1,
          has_link: true,
          from,
          to,
        }),
      ],
    },
    {
      name: 'all filters, nothing left',
      goalMs: null,
      requests: [list({ ...every, min_score: '1000000', from, to, keyword: 'first' })],
    },
  ]
}

function termCases({ terms }: FindDataset): Case[] {
  const [rare = ''] = terms.rare
  const each = (some: readonly string[]) => some.map((q) => search({ q }))
  return [
    {
      name: 'common term',
      goalMs: 10,
      requests: each(terms.common),
      http: { share: null },
    },
    { name: 'rare term', goalMs: 10, requests: each(terms.rare), http: { share: null } },
    { name: 'absent term', goalMs: 60, requests: each(terms.absent) },
    { name: 'two characters, common', goalMs: 20, requests: each(terms.commonTwo) },
    { name: 'two characters, rare', goalMs: 250, requests: each(terms.rareTwo) },
    { name: 'two characters, absent', goalMs: 250, requests: each(terms.absentTwo) },
    { name: 'one character, common', goalMs: 20, requests: each(terms.commonOne) },
    { name: 'one character, rare', goalMs: 250, requests: each(terms.rareOne) },
    { name: 'one character, absent', goalMs: 250, requests: each(terms.absentOne) },
    {
      name: 'include and exclude',
      goalMs: null,
      requests: [
        search({ q: 'the', include: ['reddit', 'time'], exclude: ['first'] }),
        search({ q: 'first', include: ['think'], exclude: ['post', 'reddit'] }),
        search({ q: 'the', include: [rare], exclude: ['zqxjvk'] }),
        search({ q: 'the', exclude: ['e'] }),
      ],
    },
  ]
}

function matchedCases({ terms }: FindDataset): Case[] {
  const [rare = ''] = terms.rare
  const matched = (given: Record<string, string>) => list({ view: 'matched', ...given })
  return [
    { name: 'matched by score', goalMs: null, requests: [matched({ sort: 'score' })] },
    {
      name: 'matched, tag, by comments',
      goalMs: null,
      requests: [matched({ tags: 'lead', sort: 'numComments' })],
    },
    {
      name: 'matched with keyword',
      goalMs: null,
      requests: ['first', 'elephant', rare].map((keyword) => matched({ keyword })),
    },
    {
      name: 'matched by score with keyword',
      goalMs: null,
      requests: ['first', 'elephant', rare].map((keyword) => matched({ keyword, sort: 'score' })),
    },
  ]
}
