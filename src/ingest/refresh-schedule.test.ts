import { expect, test } from 'vitest'
import { nextRefreshAt } from './refresh-schedule.ts'

const HOUR = 3_600_000
const CREATED = Date.UTC(2026, 0, 1)

test.each([
  { ageHours: 0, nextHours: 1 },
  { ageHours: 0.99, nextHours: 1 },
  { ageHours: 1, nextHours: 6 },
  { ageHours: 6, nextHours: 24 },
  { ageHours: 24, nextHours: 72 },
  { ageHours: 72, nextHours: 168 },
  { ageHours: 168, nextHours: null },
])('at $ageHours h it is next looked at when it is $nextHours h old', ({ ageHours, nextHours }) => {
  const dueAt = nextRefreshAt(CREATED, CREATED + ageHours * HOUR)
  expect(dueAt).toBe(nextHours === null ? null : CREATED + nextHours * HOUR)
})
