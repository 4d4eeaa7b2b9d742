import { expect, test } from 'vitest'
import { closedFor, freshPace, spend, waitMs, type PaceState } from './pace.ts'

const PACE = { perMinute: 60, burst: 2 }

/** A request at each of the given times, whether it may or not. */
function spentAt(...instants: number[]): PaceState {
  let state = freshPace(PACE, 0)
  for (const now of instants) state = spend(state, PACE, now)
  return state
}

test.each([
  { spent: [], now: 0, wait: 0, rule: 'a burst may go out at once' },
  { spent: [0], now: 0, wait: 0, rule: 'a burst may go out at once' },
  { spent: [0, 0], now: 0, wait: 1_000, rule: 'after it, one at a time' },
  { spent: [0, 0], now: 400, wait: 600, rule: 'time that has passed counts' },
  { spent: [0, 0], now: 1_000, wait: 0, rule: 'one has been earned' },
  { spent: [0, 0, 1_000], now: 1_000, wait: 1_000, rule: 'and was spent' },
  { spent: [0, 0], now: 3_600_000, wait: 0, rule: 'a long rest earns a burst' },
  { spent: [0, 0, 3_600_000, 3_600_000], now: 3_600_000, wait: 1_000, rule: 'and no more' },
  { spent: [5_000, 5_000], now: 0, wait: 1_000, rule: 'a clock set back earns nothing' },
])('$rule: after $spent, at $now, it waits $wait ms', ({ spent, now, wait }) => {
  expect(waitMs(spentAt(...spent), PACE, now)).toBe(wait)
})

test.each([
  { closedMs: 5_000, now: 0, wait: 5_000, rule: 'nothing is sent while it is closed' },
  { closedMs: 5_000, now: 4_999, wait: 1, rule: 'to the last moment' },
  { closedMs: 5_000, now: 5_000, wait: 0, rule: 'then it is open' },
  { closedMs: 86_400_000, now: 0, wait: 600_000, rule: 'never closed for more than 10 minutes' },
])('$rule', ({ closedMs, now, wait }) => {
  expect(waitMs(closedFor(freshPace(PACE, 0), closedMs, 0), PACE, now)).toBe(wait)
})

test('a shorter wish does not open what a longer one closed', () => {
  const closed = closedFor(closedFor(freshPace(PACE, 0), 5_000, 0), 1_000, 0)

  expect(waitMs(closed, PACE, 2_000)).toBe(3_000)
})
