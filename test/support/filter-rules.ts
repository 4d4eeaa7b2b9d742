// What the contract and the decisions say of the filters that both operations share, as data: each
// rule with the posts that show it. The posts are given the newest first, and so they are found.

import type { Filter, GivenPost } from './dataset.ts'

interface FilterRule {
  rule: string
  posts: readonly GivenPost[]
  filter: Filter
  /** Titles, in the order of the answer. */
  found: readonly string[]
}

const CHANNELS: GivenPost[] = [
  { title: 'served', subforum: 'SelfHosted' },
  { title: 'rusty', subforum: 'rust' },
  { title: 'at home', subforum: 'homelab' },
]

const PLATFORMS: GivenPost[] = [
  { title: 'on the forum', platform: 'forum' },
  { title: 'on the newsboard', platform: 'newsboard' },
]

const COUNTED: GivenPost[] = [
  { title: 'six', score: 6, numComments: 6 },
  { title: 'five', score: 5, numComments: 5 },
  { title: 'four', score: 4, numComments: 4 },
  { title: 'none', score: 0, numComments: 0 },
  { title: 'downvoted', score: -3, numComments: 0 },
]

const LINKED: GivenPost[] = [
  { title: 'page', url: 'https://example.com/page' },
  { title: 'picture', url: 'https://example.com/cat.PNG?size=2' },
  { title: 'picture host', url: 'https://i.redd.it/abc' },
  { title: 'picture in the query', url: 'https://example.com/?file=cat.png' },
  { title: 'text', url: null },
]

/** On both sides of the borders of one UTC day. */
const DATED: GivenPost[] = [
  { title: '3rd', createdAt: Date.parse('2026-03-03T00:00:00.000Z') },
  { title: 'end of 2nd', createdAt: Date.parse('2026-03-02T23:59:59.999Z') },
  { title: 'start of 2nd', createdAt: Date.parse('2026-03-02T00:00:00.000Z') },
  { title: 'end of 1st', createdAt: Date.parse('2026-03-01T23:59:59.999Z') },
]

const MIXED: GivenPost[] = [
  { title: 'all', subforum: 'rust', score: 9, url: 'https://example.com/' },
  { title: 'no link', subforum: 'rust', score: 9 },
  { title: 'low', subforum: 'rust', score: 1, url: 'https://example.com/' },
  { title: 'elsewhere', subforum: 'go', score: 9, url: 'https://example.com/' },
]

const SUBFORUMS: FilterRule[] = [
  ['only these channels, any of them', ['selfhosted', 'homelab'], ['served', 'at home']],
  ['upper and lower case are the same', ['SELFhosted', 'Rust'], ['served', 'rusty']],
  ['with a leading r/', ['r/selfhosted'], ['served']],
  ['with a leading /r/ in any case', ['/R/SelfHosted'], ['served']],
  ['in any order and repeated', ['rust', 'homelab', 'r/Rust'], ['rusty', 'at home']],
  ['a part of a name is not the name', ['self', 'rus', 'homelabs'], []],
  ['% and _ are not wildcards', ['%', 'rus_', '*'], []],
  ['an unknown one has no records', ['nowhere'], []],
  ['an unknown one beside a known one does no harm', ['nowhere', 'rust'], ['rusty']],
  ['an empty list is no filter', [], ['served', 'rusty', 'at home']],
].map(([rule, subforums, found]) => ({
  rule: `subforums: ${String(rule)}`,
  posts: CHANNELS,
  filter: { subforums },
  found: found as string[],
}))

const SPANS: FilterRule[] = (
  [
    ['from: a date is its first instant', { from: '2026-03-02' }, [0, 1, 2]],
    ['to: a date is its last instant', { to: '2026-03-02' }, [1, 2, 3]],
    [
      'from and to: the same date is the whole UTC day',
      { from: '2026-03-02', to: '2026-03-02' },
      [1, 2],
    ],
    ['from: a timestamp counts itself', { from: '2026-03-02T23:59:59.999Z' }, [0, 1]],
    ['from: a millisecond later it does not', { from: '2026-03-02T00:00:00.001Z' }, [0, 1]],
    ['to: a timestamp counts itself', { to: '2026-03-02T00:00:00Z' }, [2, 3]],
    ['to: a millisecond earlier it does not', { to: '2026-03-02T23:59:59.998Z' }, [2, 3]],
    ['from: a timestamp may have an offset', { from: '2026-03-03T01:00:00+01:00' }, [0]],
    ['to: a timestamp may have an offset', { to: '2026-03-01T22:59:59.999-01:00' }, [3]],
    [
      'from and to: the same instant is fine',
      { from: '2026-03-02T00:00:00Z', to: '2026-03-02T00:00:00Z' },
      [2],
    ],
    ['from: after everything finds nothing', { from: '2030-01-01' }, []],
    [
      'from and to: far away they are dates like others',
      { from: '0001-01-01', to: '9999-12-31' },
      [0, 1, 2, 3],
    ],
  ] as [string, Filter, number[]][]
).map(([rule, filter, indexes]) => ({
  rule,
  posts: DATED,
  filter,
  found: indexes.map((index) => DATED[index]?.title ?? ''),
}))

const LINKS: FilterRule[] = (
  [
    ['has_link: true is only posts with an external link', { has_link: true }, [0, 1, 2, 3]],
    ['has_link: false is the same as leaving it out', { has_link: false }, [0, 1, 2, 3, 4]],
    ['has_image: true is only links that look like a picture', { has_image: true }, [1, 2]],
    ['has_image: false is the same as leaving it out', { has_image: false }, [0, 1, 2, 3, 4]],
    ['has_link and has_image: both', { has_link: true, has_image: true }, [1, 2]],
  ] as [string, Filter, number[]][]
).map(([rule, filter, indexes]) => ({
  rule,
  posts: LINKED,
  filter,
  found: indexes.map((index) => LINKED[index]?.title ?? ''),
}))

const MINIMA: FilterRule[] = ['min_score', 'min_comments'].flatMap((name) => [
  { rule: `${name}: counts itself`, posts: COUNTED, filter: { [name]: 5 }, found: ['six', 'five'] },
  {
    rule: `${name}: may be a decimal`,
    posts: COUNTED,
    filter: { [name]: 4.5 },
    found: ['six', 'five'],
  },
  { rule: `${name}: above all is nothing`, posts: COUNTED, filter: { [name]: 7 }, found: [] },
])

export const FILTER_RULES: FilterRule[] = [
  ...SUBFORUMS,
  ...SPANS,
  ...LINKS,
  ...MINIMA,
  {
    rule: 'min_score: 0 leaves out what was voted down',
    posts: COUNTED,
    filter: { min_score: 0 },
    found: ['six', 'five', 'four', 'none'],
  },
  {
    rule: 'min_score: may be negative',
    posts: COUNTED,
    filter: { min_score: -3 },
    found: ['six', 'five', 'four', 'none', 'downvoted'],
  },
  {
    rule: 'platforms: only this one',
    posts: PLATFORMS,
    filter: { platforms: ['newsboard'] },
    found: ['on the newsboard'],
  },
  {
    rule: 'platforms: any of them',
    posts: PLATFORMS,
    filter: { platforms: ['newsboard', 'forum'] },
    found: ['on the forum', 'on the newsboard'],
  },
  {
    rule: 'platforms: an empty list is no filter',
    posts: PLATFORMS,
    filter: { platforms: [] },
    found: ['on the forum', 'on the newsboard'],
  },
  {
    rule: 'different filters combine with AND',
    posts: MIXED,
    filter: { subforums: ['rust'], min_score: 5, has_link: true },
    found: ['all'],
  },
]

interface RefusedFilter {
  rule: string
  filters: readonly Filter[]
  /** What the details name. */
  path: string
}

/** As they are written in either way; what only one writing can say is in the test of its operation. */
export const REFUSED_FILTERS: RefusedFilter[] = [
  {
    rule: 'limit: 0, 41, -1, 1.5 and text are INVALID_REQUEST',
    filters: [0, 41, -1, 1.5, 'ten'].map((limit) => ({ limit })),
    path: 'limit',
  },
  {
    rule: 'min_score: text is INVALID_REQUEST',
    filters: [{ min_score: 'many' }],
    path: 'min_score',
  },
  {
    rule: 'min_comments: text is INVALID_REQUEST',
    filters: [{ min_comments: 'many' }],
    path: 'min_comments',
  },
  {
    rule: 'from: what is no ISO 8601 date or timestamp is INVALID_REQUEST',
    filters: ['yesterday', '2026-02-30', '2026-03', '10.03.2026', ''].map((from) => ({ from })),
    path: 'from',
  },
  {
    rule: 'to: what is no ISO 8601 date or timestamp is INVALID_REQUEST',
    filters: ['tomorrow', '2026-13-01', '2026', '1772323200', ''].map((to) => ({ to })),
    path: 'to',
  },
  {
    rule: 'from after to is INVALID_REQUEST',
    filters: [
      { from: '2026-03-02', to: '2026-03-01' },
      { from: '2026-03-01T00:00:00.001Z', to: '2026-03-01T00:00:00Z' },
    ],
    path: 'from',
  },
  {
    rule: 'has_link: only true and false',
    filters: ['yes', 1, 'True'].map((has_link) => ({ has_link })),
    path: 'has_link',
  },
  {
    rule: 'has_image: only true and false',
    filters: ['yes', 1, 'True'].map((has_image) => ({ has_image })),
    path: 'has_image',
  },
  {
    rule: 'include_suppressed: only true and false',
    filters: ['yes', 1, 'True'].map((include_suppressed) => ({ include_suppressed })),
    path: 'include_suppressed',
  },
]
