import { expect, test } from 'vitest'
import { isWanted, type Candidate, type ExportFilter } from './export-filter.ts'

const ALL: ExportFilter = {
  matchedOnly: false,
  platforms: [],
  channels: [],
  tags: [],
  watcherId: null,
  minScore: null,
  minComments: null,
  fromAt: null,
  toAt: null,
  keyword: null,
}

const RECORD: Candidate = {
  key: 1,
  id: 'rec_1',
  platform: 'forum',
  forumId: 'a',
  subforum: 'Cats',
  channel: 'cats',
  title: 'Été',
  body: 'a cat',
  text: 'été\u001fa cat',
  permalink: 'https://forum.example/a',
  url: null,
  score: 5,
  numComments: 2,
  createdAt: 1_000,
  author: 'me',
  matched: 1,
  verification: 'pending',
  firstSeenAt: 2_000,
  tags: ['pets'],
  matches: [{ watcherId: 'wat_1', rule: 0, term: 'cat', field: 'body', position: 2 }],
}

test.each<{ filter: Partial<ExportFilter>; wanted: boolean }>([
  { filter: {}, wanted: true },
  { filter: { matchedOnly: true }, wanted: true },
  { filter: { platforms: ['newsboard'] }, wanted: false },
  { filter: { platforms: ['newsboard', 'forum'] }, wanted: true },
  { filter: { channels: ['cats'] }, wanted: true },
  { filter: { channels: ['dogs'] }, wanted: false },
  { filter: { tags: ['pets', 'other'] }, wanted: true },
  { filter: { tags: ['other'] }, wanted: false },
  { filter: { watcherId: 'wat_1' }, wanted: true },
  { filter: { watcherId: 'wat_2' }, wanted: false },
  { filter: { minScore: 5 }, wanted: true },
  { filter: { minScore: 6 }, wanted: false },
  { filter: { minComments: 3 }, wanted: false },
  { filter: { fromAt: 1_000, toAt: 1_000 }, wanted: true },
  { filter: { fromAt: 1_001 }, wanted: false },
  { filter: { toAt: 999 }, wanted: false },
  { filter: { keyword: 'ÉTÉ' }, wanted: true },
  { filter: { keyword: 'dog' }, wanted: false },
])('$filter: $wanted', ({ filter, wanted }) => {
  expect(isWanted(RECORD, { ...ALL, ...filter })).toBe(wanted)
})
