import { expect, test } from 'vitest'
import { closedMs, retryAfterMs } from './host-wishes.ts'

const NOW = Date.parse('2024-01-01T00:00:00Z')

test.each([
  { value: '120', wishMs: 120_000 },
  { value: ' 1.5 ', wishMs: 1_500 },
  { value: '0', wishMs: 0 },
  { value: 'Mon, 01 Jan 2024 00:00:30 GMT', wishMs: 30_000 },
  { value: 'Sun, 31 Dec 2023 00:00:00 GMT', wishMs: 0 },
  { value: '999999999999', wishMs: 86_400_000 },
  { value: 'soon', wishMs: null },
  { value: '', wishMs: null },
])('Retry-After: $value is $wishMs ms', ({ value, wishMs }) => {
  expect(retryAfterMs({ 'retry-after': value }, NOW)).toBe(wishMs)
})

test('no Retry-After is no wish', () => {
  expect(retryAfterMs({}, NOW)).toBeNull()
})

test.each([
  { remaining: '0.0', reset: '300', closed: 300_000 },
  { remaining: '0.9', reset: '12.5', closed: 12_500 },
  { remaining: '1.0', reset: '300', closed: 0 },
  { remaining: '99.0', reset: '300', closed: 0 },
  { remaining: 'none', reset: '300', closed: 0 },
  { remaining: '0', reset: '-5', closed: 0 },
])('with $remaining requests left for $reset s it is closed $closed ms', (given) => {
  const headers = { 'x-ratelimit-remaining': given.remaining, 'x-ratelimit-reset': given.reset }

  expect(closedMs(200, headers, NOW)).toBe(given.closed)
})

test.each([
  { status: 429, closed: 5_000 },
  { status: 503, closed: 5_000 },
  { status: 200, closed: 0 },
  { status: 500, closed: 0 },
])('Retry-After with HTTP $status closes for $closed ms', ({ status, closed }) => {
  expect(closedMs(status, { 'retry-after': '5' }, NOW)).toBe(closed)
})
