import { expect, test } from 'vitest'
import { newId, timeOfPart, timePart } from './id.ts'

test('an id is its prefix and 26 characters', () => {
  expect(newId('rec', 1_763_000_000_000)).toMatch(/^rec_[0-9a-hjkmnp-tv-z]{26}$/)
})

test('ids sort by the time they were made', () => {
  const times = [0, 1, 31, 32, 1_763_000_000_000, 1_763_000_000_001, 2 ** 48 - 1]

  const ids = times.map((time) => newId('rec', time))

  expect([...ids].sort()).toEqual(ids)
})

test.each([0, 1, 31, 32, 1_763_000_000_000, 2 ** 48 - 1])(
  'the time %d can be read back',
  (time) => {
    expect(timeOfPart(timePart(time))).toBe(time)
  },
)

test('two ids of one instant differ', () => {
  const ids = new Set(Array.from({ length: 10_000 }, () => newId('rec', 5)))

  expect(ids.size).toBe(10_000)
})
