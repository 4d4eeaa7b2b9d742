import type { Clock } from '../lib/clock.ts'
import { days, minutes } from '../lib/duration.ts'

/** After a pause, a laptop's sleep for example, the rest is not made up for. */
const MOST_AT_ONCE = 1_000

/** How many are due since it was last asked. */
export function pacer(perMinute: number, startedAt: number): (now: number) => number {
  let counted = 0
  return (now) => {
    const due = Math.floor(((now - startedAt) * perMinute) / minutes(1)) - counted
    if (due <= 0) return 0
    counted += due
    return Math.min(due, MOST_AT_ONCE)
  }
}

/**
 * The world's time. With a speed it starts a day back and runs so much faster, until it has caught
 * up with real time: a post from the future would be none that a platform sends.
 */
export function worldClock(clock: Clock, speed: number | undefined): Clock {
  if (speed === undefined || speed <= 1) return clock
  const startedAt = clock()
  return () => {
    const now = clock()
    return Math.min(now, startedAt - days(1) + (now - startedAt) * speed)
  }
}
