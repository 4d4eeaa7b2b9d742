import { expect, test } from 'vitest'
import { days, minutes, seconds } from './duration.ts'
import { retryAfterMs } from './retry-after.ts'

const NOON = Date.parse('2026-03-01T12:00:00Z')

test.each([
  { value: '', wishMs: null },
  { value: '0', wishMs: 0 },
  { value: '120', wishMs: seconds(120) },
  { value: '1.5', wishMs: 1_500 },
  { value: '86400', wishMs: days(1) },
  { value: '86401', wishMs: days(1) },
  { value: '9'.repeat(400), wishMs: days(1) },
  { value: 'Sun, 01 Mar 2026 12:10:00 GMT', wishMs: minutes(10) },
  { value: 'Sunday, 01-Mar-26 12:10:00 GMT', wishMs: minutes(10) },
  { value: 'Sun, 01 Mar 2026 11:00:00 GMT', wishMs: 0 },
  { value: 'Fri, 01 Mar 2126 12:00:00 GMT', wishMs: days(1) },
  { value: 'soon', wishMs: null },
  { value: '12 parsecs', wishMs: null },
])('Retry-After "$value" is a wish of $wishMs ms', ({ value, wishMs }) => {
  expect(retryAfterMs(value, NOON)).toBe(wishMs)
})
