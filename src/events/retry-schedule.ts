// When a delivery that failed is tried again. Waits grow, whatever a receiver asks for.

import { days, hours, minutes, seconds } from '../lib/duration.ts'

/** After the first failure, the second, … After the last of these there is one more attempt. */
const DELAYS_MS = [
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

/** Added at random, so that deliveries that failed together do not come back together. */
const JITTER = 0.2

const LONGEST_WISH_MS = days(1)

export interface Failed {
  /** How many attempts failed by now, this one included. */
  tries: number
  /** How long it waited before this one; 0 before the first. */
  waitMs: number
  /** What the receiver asks for. */
  retryAfterMs: number | null
}

/** Null when it has been tried often enough. */
export function nextWaitMs(failed: Failed, random: () => number): number | null {
  const delay = DELAYS_MS[failed.tries - 1]
  if (delay === undefined) return null
  const scheduled = Math.round(delay * (1 + JITTER * random()))
  const wished = Math.min(failed.retryAfterMs ?? 0, LONGEST_WISH_MS)
  return Math.max(scheduled, wished, failed.waitMs + 1)
}
