import { expect, test } from 'vitest'
import { afterFailure, afterSuccess, healthOf } from './channel-state.ts'

const FINE = {
  cursor: 'c',
  fetchedAt: 5,
  beginnersNext: true,
  failures: 0,
  failingSince: null,
  lastError: null,
}

test('failures are counted, since when is kept, and the cursor stays', () => {
  const once = afterFailure(FINE, { error: 'HTTP 503', beginnersNext: false }, 10)
  const twice = afterFailure(once, { error: 'HTTP 500', beginnersNext: true }, 20)
  const failing = { ...FINE, failingSince: 10 }
  expect(once).toEqual({ ...failing, failures: 1, beginnersNext: false, lastError: 'HTTP 503' })
  expect(twice).toEqual({ ...failing, failures: 2, lastError: 'HTTP 500' })
})

test('a success ends it', () => {
  const failing = { ...FINE, failures: 3, failingSince: 1, lastError: 'HTTP 503' }
  const after = afterSuccess(failing, { cursor: 'd', beginnersNext: true }, 30)
  expect(after).toEqual({ ...FINE, cursor: 'd', fetchedAt: 30 })
})

test.each([
  { failures: 0, health: 'ok' },
  { failures: 1, health: 'failing' },
  { failures: 4, health: 'failing' },
  { failures: 5, health: 'broken' },
])('$failures failures in a row: $health', ({ failures, health }) => {
  expect(healthOf({ failures })).toBe(health)
})
