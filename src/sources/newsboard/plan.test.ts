import { expect, test } from 'vitest'
import type { Cursor } from './cursor.ts'
import { listOf } from './lists.ts'
import { afterFilling, holeBefore, wantedIds } from './plan.ts'

const KNOWN: Cursor = {
  seen: [5, 4, 3],
  newestAt: 1_000_000,
  pending: [{ id: 4, tries: 1 }],
  holes: [],
  validators: null,
}
const FULL = Array.from({ length: 500 }, (_, index) => 1_000 - index)

test('only ids that were not seen are wanted', () => {
  expect(wantedIds([7, 5, 6, 4], KNOWN, false)).toEqual([7, 6])
})

test('from the start, every id is wanted that is not asked for anyway', () => {
  expect(wantedIds([7, 5, 4], KNOWN, true)).toEqual([7, 5])
})

test('a full list without anything known has a hole up to its oldest post', () => {
  const hole = holeBefore(listOf('new'), KNOWN, { listed: FULL, times: [9_000_000, 7_000_000] })

  expect(hole).toEqual({ fromAt: 1_000_000, toAt: 7_000_000 })
})

test.each([
  { case: 'the list is not full', listed: FULL.slice(1) },
  { case: 'a known id is still listed', listed: [...FULL.slice(1), 3] },
  { case: 'nothing was known before', listed: FULL, known: { newestAt: null } },
  { case: 'it is a ranking', listed: FULL, channel: 'top' },
  { case: 'the list reaches back before what is known', listed: FULL, times: [900_000] },
  { case: 'no listed item tells its time', listed: FULL, times: [] },
])('there is no hole when $case', ({ listed, known, channel, times }) => {
  const list = listOf(channel ?? 'new')

  const hole = holeBefore(list, { ...KNOWN, ...known }, { listed, times: times ?? [7_000_000] })

  expect(hole).toBeNull()
})

test('the lists of other channels are full with fewer ids', () => {
  const listed = FULL.slice(0, 200)

  expect(holeBefore(listOf('ask'), KNOWN, { listed, times: [7_000_000] })).not.toBeNull()
})

const hole = { fromAt: 1_000, toAt: 9_000, tries: 0 }
const rest = { fromAt: 1_000, toAt: 5_000, reason: 'The search API failed.', isForGood: false }

test('a hole that was filled is gone', () => {
  expect(afterFilling(hole, { rest: null })).toEqual({ hole: null, gap: null })
})

test('what is left of a hole is tried again', () => {
  const left = { fromAt: 1_000, toAt: 5_000, tries: 1 }
  expect(afterFilling(hole, { rest })).toEqual({ hole: left, gap: null })
})

test.each([
  { name: 'after an hour of tries', tries: 11, isForGood: false },
  { name: 'at once when trying again would not help', tries: 0, isForGood: true },
])('it becomes a gap $name', ({ tries, isForGood }) => {
  const gap = { fromAt: 1_000, toAt: 5_000, reason: 'The search API failed.' }
  const after = afterFilling({ ...hole, tries }, { rest: { ...rest, isForGood } })
  expect(after).toEqual({ hole: null, gap })
})
