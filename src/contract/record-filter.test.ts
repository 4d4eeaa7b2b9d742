// Every value a parameter accepts and refuses, in both writings: as JSON, and in a query string, where
// everything is text.

import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  beginsBeforeItEnds,
  BooleanText,
  filterFields,
  filterParameters,
  SearchedText,
  termFields,
} from './record-filter.ts'

const InJson = z.strictObject({ ...filterFields, ...termFields })
const InQuery = z.strictObject({ ...filterParameters, read: BooleanText.optional() })

const NEW_YEAR = Date.UTC(2026, 0, 1)
const DAY_MS = 86_400_000

const many = (count: number, item: (index: number) => string = String) =>
  Array.from({ length: count }, (_, index) => item(index))

test('what is left out has its default, the same in both writings', () => {
  const defaults = {
    subforums: [],
    platforms: [],
    tags: [],
    has_link: false,
    has_image: false,
    include_suppressed: false,
    limit: 20,
  }

  expect(InJson.parse({})).toEqual({ ...defaults, include: [], exclude: [] })
  expect(InQuery.parse({})).toEqual(defaults)
})

test('both writings know the same filters', () => {
  expect(Object.keys(filterParameters)).toEqual(Object.keys(filterFields))
})

interface Accepted {
  name: keyof typeof filterFields
  json: unknown
  text: string
  means: unknown
}

const ACCEPTED: Accepted[] = [
  { name: 'subforums', json: ['rust'], text: 'rust', means: ['rust'] },
  { name: 'subforums', json: ['Rust', 'GO'], text: 'Rust,GO', means: ['go', 'rust'] },
  { name: 'subforums', json: ['r/Rust', '/R/Go'], text: 'r/Rust,/R/Go', means: ['go', 'rust'] },
  { name: 'subforums', json: ['rust', 'r/RUST'], text: 'rust,r/RUST', means: ['rust'] },
  { name: 'subforums', json: [' rust '], text: ' rust ', means: ['rust'] },
  { name: 'subforums', json: [], text: '', means: [] },
  { name: 'subforums', json: many(1_000), text: many(1_000).join(','), means: many(1_000).sort() },
  { name: 'platforms', json: ['forum'], text: 'forum', means: ['forum'] },
  { name: 'platforms', json: ['newsboard'], text: 'newsboard', means: ['newsboard'] },
  {
    name: 'platforms',
    json: ['newsboard', 'forum', 'forum'],
    text: 'newsboard,forum,forum',
    means: ['forum', 'newsboard'],
  },
  { name: 'platforms', json: [], text: '', means: [] },
  { name: 'tags', json: ['b', 'A', 'b'], text: 'b,A,b', means: ['A', 'b'] },
  { name: 'tags', json: ['two words'], text: 'two words', means: ['two words'] },
  { name: 'tags', json: ['half\ud800'], text: 'half\ud800', means: ['half\ufffd'] },
  { name: 'tags', json: [], text: '', means: [] },
  { name: 'watcher_id', json: 'wat_1', text: 'wat_1', means: 'wat_1' },
  { name: 'watcher_id', json: 'no id at all', text: 'no id at all', means: 'no id at all' },
  { name: 'min_score', json: 10, text: '10', means: 10 },
  { name: 'min_score', json: 0, text: '0', means: 0 },
  { name: 'min_score', json: -3, text: '-3', means: -3 },
  { name: 'min_score', json: 4.5, text: '4.5', means: 4.5 },
  { name: 'min_score', json: 7, text: '007', means: 7 },
  { name: 'min_score', json: 1e20, text: '100000000000000000000', means: 1e20 },
  { name: 'min_comments', json: 10, text: '10', means: 10 },
  { name: 'min_comments', json: 0.5, text: '0.50', means: 0.5 },
  { name: 'min_comments', json: -1, text: '-1', means: -1 },
  { name: 'has_link', json: true, text: 'true', means: true },
  { name: 'has_link', json: false, text: 'false', means: false },
  { name: 'has_image', json: true, text: 'true', means: true },
  { name: 'has_image', json: false, text: 'false', means: false },
  { name: 'include_suppressed', json: true, text: 'true', means: true },
  { name: 'include_suppressed', json: false, text: 'false', means: false },
  { name: 'from', json: '2026-01-01', text: '2026-01-01', means: NEW_YEAR },
  { name: 'to', json: '2026-01-01', text: '2026-01-01', means: NEW_YEAR + DAY_MS - 1 },
  {
    name: 'from',
    json: '2026-01-01T00:00:01Z',
    text: '2026-01-01T00:00:01Z',
    means: NEW_YEAR + 1e3,
  },
  { name: 'to', json: '2026-01-01T00:00:01Z', text: '2026-01-01T00:00:01Z', means: NEW_YEAR + 1e3 },
  // Without an offset it is UTC, and the seconds may be left out.
  { name: 'to', json: '2026-01-01T00:00:01', text: '2026-01-01T00:00:01', means: NEW_YEAR + 1e3 },
  { name: 'to', json: '2026-01-01T00:01Z', text: '2026-01-01T00:01Z', means: NEW_YEAR + 6e4 },
  {
    name: 'from',
    json: '2026-01-01T01:00:00.250+01:00',
    text: '2026-01-01T01:00:00.250+01:00',
    means: NEW_YEAR + 250,
  },
  { name: 'from', json: '0001-01-01', text: '0001-01-01', means: Date.parse('0001-01-01') },
  {
    name: 'to',
    json: '9999-12-31',
    text: '9999-12-31',
    means: Date.parse('9999-12-31T23:59:59.999Z'),
  },
  { name: 'limit', json: 1, text: '1', means: 1 },
  { name: 'limit', json: 20, text: '20', means: 20 },
  { name: 'limit', json: 40, text: '40', means: 40 },
  { name: 'cursor', json: 'abc', text: 'abc', means: 'abc' },
  // Whether it is a cursor is for whoever reads it to say, in words of its own.
  { name: 'cursor', json: '', text: '', means: '' },
]

test.each(ACCEPTED)(
  '$name: accepts $json and, as text, the same',
  ({ name, json, text, means }) => {
    expect(InJson.parse({ [name]: json })[name]).toEqual(means)
    expect(InQuery.parse({ [name]: text })[name]).toEqual(means)
  },
)

test.each([
  { name: 'subforums', text: ' rust , go ', means: ['go', 'rust'] },
  { name: 'subforums', text: ',rust,,go, ,', means: ['go', 'rust'] },
  { name: 'subforums', text: ',', means: [] },
  { name: 'subforums', text: ' ', means: [] },
  { name: 'platforms', text: ' forum,, newsboard ', means: ['forum', 'newsboard'] },
  { name: 'tags', text: ' two words , one ,', means: ['one', 'two words'] },
] as const)('$name: blanks and empty elements of "$text" do not count', ({ name, text, means }) => {
  expect(InQuery.parse({ [name]: text })[name]).toEqual(means)
})

test.each([
  { name: 'subforums', values: ['rust', [1], [null], {}, null, 5, many(1_001)] },
  { name: 'platforms', values: ['forum', ['Forum'], [''], ['forums'], ['forum', 'x'], null, [1]] },
  { name: 'tags', values: ['a', [1], [null], {}, null, many(1_001)] },
  { name: 'watcher_id', values: [1, null, ['wat_1'], {}] },
  { name: 'min_score', values: ['10', null, true, [1], {}, Infinity, NaN] },
  { name: 'min_comments', values: ['10', null, true, [1], {}, Infinity, NaN] },
  { name: 'has_link', values: ['true', 1, 0, null, [true]] },
  { name: 'has_image', values: ['true', 1, 0, null, [true]] },
  { name: 'include_suppressed', values: ['true', 1, 0, null, [true]] },
  { name: 'from', values: [0, 1_767_225_600_000, null, ['2026-01-01'], {}] },
  { name: 'to', values: [0, 1_767_225_600_000, null, ['2026-01-01'], {}] },
  { name: 'limit', values: [0, 41, -1, 1.5, '20', 'ten', null, true, 1e300, Infinity, NaN] },
  { name: 'cursor', values: [1, null, ['a'], {}] },
  { name: 'include', values: ['a', [1], [null], null, [''], ['x'.repeat(101)], many(21)] },
  { name: 'exclude', values: ['a', [1], [null], null, [''], ['x'.repeat(101)], many(21)] },
])('$name: refuses in JSON what is of another type or out of range', ({ name, values }) => {
  for (const value of values) expect(mistakesOf(InJson, { [name]: value })).toEqual([name])
})

const TWICE = ['1', '2']

test.each([
  { name: 'subforums', values: [TWICE, { a: '1' }, many(1_001).join(',')] },
  { name: 'platforms', values: [TWICE, 'Forum', 'forum,x', 'forum;newsboard'] },
  { name: 'tags', values: [TWICE, { a: '1' }, many(1_001).join(',')] },
  { name: 'watcher_id', values: [TWICE, { a: '1' }] },
  {
    name: 'min_score',
    values: [TWICE, '', ' ', 'ten', '1e3', '0x10', '+1', ' 1', '1,5', '.5', '5.'],
  },
  { name: 'min_score', values: ['--1', '1.2.3', '1_000', 'NaN', 'Infinity', '-Infinity', '١'] },
  {
    name: 'min_comments',
    values: [TWICE, '', 'ten', '1e3', '0x10', '+1', '1 ', 'NaN', 'Infinity'],
  },
  { name: 'has_link', values: [TWICE, '', '1', '0', 'True', 'TRUE', 'yes', ' true'] },
  { name: 'has_image', values: [TWICE, '', '1', '0', 'True', 'FALSE', 'no', 'false '] },
  { name: 'include_suppressed', values: [TWICE, '', '1', '0', 'True', 'on'] },
  { name: 'read', values: [TWICE, '', '1', '0', 'True', 'unread'] },
  {
    name: 'limit',
    values: [TWICE, '', '0', '41', '-1', '1.5', 'ten', '1e1', ' 20', '9'.repeat(400)],
  },
  { name: 'cursor', values: [TWICE, { a: '1' }] },
])('$name: refuses in a query string what is given twice or is something else', (refused) => {
  const { name, values } = refused
  for (const value of values) expect(mistakesOf(InQuery, { [name]: value })).toEqual([name])
})

test.each([
  '',
  'yesterday',
  '2026',
  '2026-01',
  '2026-1-1',
  '20260101',
  '01/01/2026',
  '2026-02-30',
  '2026-13-01',
  '2026-01-01T25:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-06-30T23:59:60Z',
  '2026-01-01T00:00:00+99:99',
  '2026-01-01 00:00:00Z',
  '1767225600',
  '+010000-01-01',
])('from and to: "%s" is neither a date nor a timestamp', (text) => {
  for (const schema of [InJson, InQuery]) {
    expect(mistakesOf(schema, { from: text })).toEqual(['from'])
    expect(mistakesOf(schema, { to: text })).toEqual(['to'])
  }
})

test('from and to: whatever is accepted is an instant', () => {
  for (const text of ['0000-01-01', '9999-12-31', '2024-02-29', '2026-01-01T10:00:00.123456789Z']) {
    expect(InJson.parse({ from: text }).from).toSatisfy(Number.isSafeInteger)
    expect(InJson.parse({ to: text }).to).toSatisfy(Number.isSafeInteger)
  }
})

test.each([
  { from: undefined, to: undefined, fine: true },
  { from: 5, to: undefined, fine: true },
  { from: undefined, to: 5, fine: true },
  { from: 5, to: 5, fine: true },
  { from: 5, to: 6, fine: true },
  { from: 6, to: 5, fine: false },
])('from $from, to $to: $fine', ({ from, to, fine }) => {
  expect(beginsBeforeItEnds({ from, to })).toBe(fine)
})

test('the same day as from and to is the whole day', () => {
  const { from, to } = InJson.parse({ from: '2026-01-01', to: '2026-01-01' })

  expect([from, to]).toEqual([NEW_YEAR, NEW_YEAR + DAY_MS - 1])
})

test.each([
  { rule: 'is trimmed', given: ' \t needle\n', means: 'needle' },
  { rule: 'keeps the blanks inside', given: 'two  blanks', means: 'two  blanks' },
  { rule: 'keeps what is special elsewhere', given: '%_*"\'\\', means: '%_*"\'\\' },
  { rule: 'may be one character', given: 'a', means: 'a' },
  { rule: 'may be 400 characters', given: 'x'.repeat(400), means: 'x'.repeat(400) },
  { rule: 'is measured trimmed', given: ` ${'x'.repeat(400)} `, means: 'x'.repeat(400) },
  { rule: 'has no half characters', given: 'a\udc00', means: 'a\ufffd' },
])('q and keyword: $rule', ({ given, means }) => {
  expect(SearchedText.parse(given)).toBe(means)
})

test('q and keyword: nothing, blanks alone and more than 400 characters are refused', () => {
  for (const given of ['', '   ', '\n\t', 'x'.repeat(401), 5, null, ['a']]) {
    expect(SearchedText.safeParse(given).success).toBe(false)
  }
})

test.each(['include', 'exclude'] as const)('%s: up to 20 terms of 1 to 100 characters', (name) => {
  const terms = many(20, (index) => String.fromCodePoint(97 + index).repeat(100))

  expect(InJson.parse({ [name]: terms })[name]).toEqual(terms)
  expect(InJson.parse({ [name]: ['a'] })[name]).toEqual(['a'])
  expect(InJson.parse({ [name]: [] })[name]).toEqual([])
})

test('every mistake is told at once, and every unknown filter by its name', () => {
  const json = { limit: 0, min_score: 'a', platforms: ['x'], from: 'b', subforum: 'c', Tags: [] }
  const query = { limit: '0', min_score: 'a', platforms: 'x', from: 'b', subforum: 'c', Tags: '' }
  const names = ['Tags', 'from', 'limit', 'min_score', 'platforms', 'subforum']

  expect(mistakesOf(InJson, json)).toEqual(names)
  expect(mistakesOf(InQuery, query)).toEqual(names)
})

/** The names of the fields that are refused, sorted. */
function mistakesOf(schema: z.ZodType, given: unknown): string[] {
  const issues = schema.safeParse(given).error?.issues ?? []
  const names = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys : [String(issue.path[0])],
  )
  return [...new Set(names)].sort()
}
