import fc from 'fast-check'
import { expect, test } from 'vitest'
import { days, hours, minutes, seconds } from '../lib/duration.ts'
import { nextWaitMs } from './retry-schedule.ts'

const DELAYS = [
  seconds(5),
  seconds(30),
  minutes(2),
  minutes(10),
  minutes(30),
  hours(2),
  hours(5),
  hours(10),
  hours(20),
]

test.each(DELAYS.map((delay, index) => ({ tries: index + 1, delay })))(
  'after $tries failures it waits $delay ms, and up to a fifth more',
  ({ tries, delay }) => {
    const failed = { tries, waitMs: 0, retryAfterMs: null }

    expect(nextWaitMs(failed, () => 0)).toBe(delay)
    expect(nextWaitMs(failed, () => 0.999_999)).toBeLessThanOrEqual(delay * 1.2)
  },
)

test('the tenth failure is the last', () => {
  expect(nextWaitMs({ tries: 10, waitMs: hours(20), retryAfterMs: null }, () => 0)).toBeNull()
})

test('Retry-After lengthens the wait, up to a day', () => {
  const failed = { tries: 1, waitMs: 0 }

  expect(nextWaitMs({ ...failed, retryAfterMs: minutes(7) }, () => 0)).toBe(minutes(7))
  expect(nextWaitMs({ ...failed, retryAfterMs: days(9) }, () => 0)).toBe(days(1))
})

test('Retry-After does not shorten it', () => {
  expect(nextWaitMs({ tries: 3, waitMs: 0, retryAfterMs: 1_000 }, () => 0)).toBe(minutes(2))
})

test('waits strictly grow, whatever receivers ask for', () => {
  const wish = fc.option(fc.nat(days(3)))
  fc.assert(
    fc.property(fc.array(wish, { minLength: 9, maxLength: 9 }), fc.float(), (wishes, chance) => {
      let waitMs = 0
      for (const [index, retryAfterMs] of wishes.entries()) {
        const failed = { tries: index + 1, waitMs, retryAfterMs }
        const next = nextWaitMs(failed, () => Math.abs(chance % 1) || 0) ?? 0
        expect(next).toBeGreaterThan(waitMs)
        waitMs = next
      }
    }),
  )
})
