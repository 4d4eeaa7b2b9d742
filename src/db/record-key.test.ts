import { expect, test } from 'vitest'
import { LATEST_POST_AT } from '../sources/post.ts'
import {
  firstKeyAt,
  keyOfRecordId,
  likelyKeys,
  nextKey,
  nextSlot,
  recordIdOf,
} from './record-key.ts'

const NOON = Date.UTC(2026, 0, 1, 12)

test('keys grow with the time of the post', () => {
  const times = [0, 1, NOON - 1, NOON, NOON + 1, LATEST_POST_AT]
  const keys = times.map(firstKeyAt)
  expect(keys).toEqual(keys.toSorted((a, b) => a - b))
  expect(new Set(keys).size).toBe(times.length)
})

test('every key from 1970 to 2089 is an exact number', () => {
  for (const time of [0, NOON, LATEST_POST_AT]) {
    expect(Number.isSafeInteger(firstKeyAt(time))).toBe(true)
    expect(Number.isSafeInteger(nextSlot(firstKeyAt(time)))).toBe(true)
  }
})

test('a slot hands out its keys one after another, and says when it is full', () => {
  const slot = firstKeyAt(NOON)
  expect(nextKey(slot, null)).toBe(slot)
  expect(nextKey(slot, slot)).toBe(slot + 1)
  expect(nextKey(slot, slot + 4_094)).toBe(slot + 4_095)
  expect(nextKey(slot, slot + 4_095)).toBeNull()
  expect(nextSlot(slot)).toBe(firstKeyAt(NOON + 1))
})

test('an id is rec_ and 26 characters, in the order of the keys', () => {
  const keys = [firstKeyAt(0), firstKeyAt(NOON), firstKeyAt(NOON) + 1, firstKeyAt(NOON + 1)]
  const ids = keys.map(recordIdOf)
  for (const id of ids) expect(id).toMatch(/^rec_[0-9a-hjkmnp-tv-z]{26}$/)
  expect(ids).toEqual(ids.toSorted())
})

test.each([
  firstKeyAt(1),
  firstKeyAt(Date.UTC(2020, 0, 1)) - 1,
  firstKeyAt(NOON),
  firstKeyAt(NOON) + 31,
  firstKeyAt(NOON) + 4_095,
  firstKeyAt(LATEST_POST_AT) + 4_095,
])('the key %d can be read from its id', (key) => {
  expect(keyOfRecordId(recordIdOf(key))).toBe(key)
})

const AN_ID = recordIdOf(firstKeyAt(NOON))

test.each([
  ['nothing', ''],
  ['another prefix', AN_ID.replace('rec_', 'wat_')],
  ['no prefix', AN_ID.slice(4)],
  ['a character less', AN_ID.slice(0, -1)],
  ['a character more', `${AN_ID}0`],
  ['a line break behind', `${AN_ID}\n`],
  ['capitals', AN_ID.toUpperCase()],
  ['a letter that ids do not use in the time', `rec_u${'0'.repeat(25)}`],
  ['a letter that ids do not use at random', `rec_01kdwfbj00000${'0'.repeat(12)}l`],
  ['a counter that no key has', `rec_01kdwfbj00400${'0'.repeat(13)}`],
  ['a time that no key tells', `rec_zzzzzzzzzz000${'0'.repeat(13)}`],
])('%s is no id of a record', (_, id) => {
  expect(keyOfRecordId(id)).toBeNull()
})

test('likely keys are in the millisecond of their post and never the same twice', () => {
  const posts = Array.from({ length: 200 }, (_, index) => ({ createdAt: NOON, name: `p${index}` }))
  const keys = likelyKeys([...posts, { createdAt: NOON, name: 'p0' }])
  expect(new Set(keys).size).toBe(201)
  for (const key of keys.slice(0, 200)) {
    expect(key).toBeGreaterThanOrEqual(firstKeyAt(NOON))
    expect(key).toBeLessThan(firstKeyAt(NOON + 1))
  }
})

test('likely keys are scattered: the records of one post in many organizations seldom collide', () => {
  const keys = Array.from({ length: 100 }, (_, index) =>
    likelyKeys([{ createdAt: NOON, name: `org_${index}/forum/16bb5r` }]),
  )
  expect(new Set(keys.flat()).size).toBeGreaterThan(90)
})
