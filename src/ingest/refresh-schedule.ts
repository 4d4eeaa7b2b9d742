import { days, hours } from '../lib/duration.ts'

/** A young post's score and comments change, and some posts are removed: ages at which to look. */
const AGES_MS = [hours(1), hours(6), hours(24), days(3), days(7)]

/** When a post is to be looked at next; null when it is too old. */
export function nextRefreshAt(createdAt: number, now: number): number | null {
  const ageMs = AGES_MS.find((age) => createdAt + age > now)
  return ageMs === undefined ? null : createdAt + ageMs
}
