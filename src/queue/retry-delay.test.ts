import { expect, test } from 'vitest'
import { retryDelayMs } from './retry-delay.ts'

test.each([
  { attempt: 1, delayMs: 5_000 },
  { attempt: 2, delayMs: 10_000 },
  { attempt: 10, delayMs: 2_560_000 },
  { attempt: 11, delayMs: 3_600_000 },
  { attempt: 1_000, delayMs: 3_600_000 },
])('after attempt $attempt it waits $delayMs ms', ({ attempt, delayMs }) => {
  expect(retryDelayMs(attempt)).toBe(delayMs)
})
