import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isoTime } from './iso-time.ts'

const LATEST_MS = 8.64e15

test('is what toISOString says, for every instant there is', () => {
  const instant = fc.oneof(
    fc.integer({ min: -LATEST_MS, max: LATEST_MS }),
    fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) }),
    fc.constantFrom(0, -1, 1, LATEST_MS, -LATEST_MS, Date.UTC(2024, 1, 29, 23, 59, 59, 999)),
  )
  fc.assert(
    fc.property(instant, (ms) => {
      expect(isoTime(ms)).toBe(new Date(ms).toISOString())
    }),
    { numRuns: 2_000 },
  )
})

test('a part of a millisecond is left out', () => {
  expect(isoTime(1_700_000_000_123.9)).toBe('2023-11-14T22:13:20.123Z')
  expect(isoTime(-0.5)).toBe(new Date(-0.5).toISOString())
})

test.each([Number.NaN, Infinity, 8.64e15 + 1])('%d is no instant', (ms) => {
  expect(() => isoTime(ms)).toThrow(RangeError)
})
