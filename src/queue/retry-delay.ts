import { hours, seconds } from '../lib/duration.ts'

const FIRST_MS = seconds(5)
const LONGEST_MS = hours(1)

/** How long to wait after the given attempt (counted from 1) failed: doubling, up to an hour. */
export function retryDelayMs(attempt: number): number {
  return Math.min(FIRST_MS * 2 ** (attempt - 1), LONGEST_MS)
}
