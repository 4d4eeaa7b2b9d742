import { expect, test } from 'vitest'
import { SourceError, type SourceFailure } from '../source.ts'
import { retryWaitMs } from './retry.ts'

function failed(failure: SourceFailure, attempt: number, retryAfterMs?: number) {
  const wish = retryAfterMs === undefined ? {} : { retryAfterMs }
  return { error: new SourceError(failure, 'no', wish), attempt, elapsedMs: 0 }
}

test.each([
  { attempt: 1, random: 0, wait: 0 },
  { attempt: 1, random: 0.5, wait: 250 },
  { attempt: 1, random: 0.999, wait: 499 },
  { attempt: 2, random: 0.5, wait: 500 },
  { attempt: 3, random: 0.5, wait: null },
])('after attempt $attempt with jitter $random it waits $wait ms', ({ attempt, random, wait }) => {
  expect(retryWaitMs(failed('unreachable', attempt), random)).toBe(wait)
})

test.each<SourceFailure>(['not_found', 'forbidden', 'unreadable', 'unauthorized'])(
  'another try does not help against %s',
  (failure) => {
    expect(retryWaitMs(failed(failure, 1), 0)).toBeNull()
  },
)

test.each([
  { wishMs: 2_000, wait: 2_250 },
  { wishMs: 5_000, wait: 5_250 },
  { wishMs: 5_001, wait: null },
])('a wish of $wishMs ms makes it wait $wait ms', ({ wishMs, wait }) => {
  expect(retryWaitMs(failed('throttled', 1, wishMs), 0.5)).toBe(wait)
})

test('slow failures are not repeated for long', () => {
  const slow = { ...failed('unreachable', 2), elapsedMs: 40_000 }

  expect(retryWaitMs(slow, 0)).toBeNull()
})
