import { expect, test } from 'vitest'
import { nextFetchAt } from './schedule.ts'

const NOW = 1_000_000
const FIVE_MINUTES = 300_000
const round = { intervalMs: FIVE_MINUTES, failures: 0, retryAfterMs: null, now: NOW, chance: 0.5 }

test.each([
  { name: 'in the middle, exactly the interval', chance: 0.5, waitMs: 300_000 },
  { name: 'at one end a tenth sooner', chance: 0, waitMs: 270_000 },
  { name: 'at the other a tenth later', chance: 1, waitMs: 330_000 },
])('after a success: $name', ({ chance, waitMs }) => {
  expect(nextFetchAt({ ...round, chance })).toBe(NOW + waitMs)
})

test.each([
  { failures: 1, waitMs: 30_000 },
  { failures: 2, waitMs: 60_000 },
  { failures: 5, waitMs: 480_000 },
  { failures: 8, waitMs: 3_600_000 },
  { failures: 100, waitMs: 3_600_000 },
])('after $failures failures in a row it waits $waitMs ms', ({ failures, waitMs }) => {
  expect(nextFetchAt({ ...round, failures })).toBe(NOW + waitMs)
})

test('a short interval is also the first wait after a failure', () => {
  expect(nextFetchAt({ ...round, intervalMs: 1_000, failures: 1 })).toBe(NOW + 1_000)
})

test('what the platform asked for lengthens the wait, and never shortens it', () => {
  expect(nextFetchAt({ ...round, failures: 1, retryAfterMs: 90_000 })).toBe(NOW + 90_000)
  expect(nextFetchAt({ ...round, failures: 1, retryAfterMs: 1_000 })).toBe(NOW + 30_000)
})
