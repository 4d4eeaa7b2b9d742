import { expect, test } from 'vitest'
import { ListRecords } from '../contract/list-records.ts'
import { Search } from '../contract/search.ts'
import { contradictsItself, wantedByList, wantedBySearch } from './wanted.ts'

const list = (query: Record<string, string>) => wantedByList(ListRecords.query.parse(query))
const search = (body: Record<string, unknown>) =>
  wantedBySearch(Search.body.parse({ q: 'cat', ...body }))

test.each([
  [{ subforums: 'a,b' }, { subforums: 'r/B, ,A,a' }],
  [{ has_link: 'false' }, {}],
  [{ platforms: 'forum,newsboard' }, { platforms: 'newsboard,forum' }],
  [{ from: '2026-01-01' }, { from: '2026-01-01T01:00:00+01:00' }],
  [{ keyword: ' Été ' }, { keyword: 'éTÉ' }],
  [{ min_score: '1.5' }, { min_score: '2' }],
  [{ tags: 'a', read: 'true', archived: 'true', sort: 'score' }, {}],
])('%j and %j mean the same', (one, other) => {
  expect(list(one)).toEqual(list(other))
})

test.each([
  [{ view: 'matched', tags: 'a' }, { view: 'matched' }],
  [{ view: 'matched', sort: 'score' }, { view: 'matched' }],
  [{ view: 'matched', read: 'false' }, { view: 'matched' }],
  [{ view: 'matched', archived: 'true' }, { view: 'matched' }],
  [{ min_score: '0' }, {}],
  [{ watcher_id: '' }, {}],
])('%j and %j mean something else', (one, other) => {
  expect(list(one)).not.toEqual(list(other))
})

test('tags in a search imply matched', () => {
  expect(search({ tags: ['a'] }).matchedOnly).toBe(true)
  expect(search({ tags: [] }).matchedOnly).toBe(false)
})

test.each([
  { given: 1e300, asked: 2 ** 53 },
  { given: -1e300, asked: -(2 ** 53) },
  { given: -0.5, asked: 0 },
  { given: 2.1, asked: 3 },
])('a minimum of $given asks for $asked', ({ given, asked }) => {
  expect(search({ min_score: given }).minScore === asked).toBe(true)
})

test.each([
  { exclude: ['A'], contradicts: true },
  { exclude: ['dog', 'at'], contradicts: true },
  { exclude: ['cats'], contradicts: false },
  { exclude: [], contradicts: false },
  { include: ['dogs'], exclude: ['dog'], contradicts: true },
])('cat with $include without $exclude: can nothing be? $contradicts', (given) => {
  const { contradicts, ...body } = given
  expect(contradictsItself(search(body))).toBe(contradicts)
})
