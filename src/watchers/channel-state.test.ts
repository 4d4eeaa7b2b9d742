import { expect, test } from 'vitest'
import { afterFailure, afterSuccess, healthOf } from './channel-state.ts'

const FINE = { cursor: 'c', fetchedAt: 5, failures: 0, failingSince: null, lastError: null }

test('failures are counted, since when is kept, and the cursor stays', () => {
  const once = afterFailure(FINE, 'HTTP 503', 10)
  const twice = afterFailure(once, 'HTTP 500', 20)
  expect(once).toEqual({ ...FINE, failures: 1, failingSince: 10, lastError: 'HTTP 503' })
  expect(twice).toEqual({ ...FINE, failures: 2, failingSince: 10, lastError: 'HTTP 500' })
})

test('a success ends it', () => {
  expect(afterSuccess('d', 30)).toEqual({ ...FINE, cursor: 'd', fetchedAt: 30 })
})

test.each([
  { failures: 0, health: 'ok' },
  { failures: 1, health: 'failing' },
  { failures: 4, health: 'failing' },
  { failures: 5, health: 'broken' },
])('$failures failures in a row: $health', ({ failures, health }) => {
  expect(healthOf({ failures })).toBe(health)
})
