// How fast a host is asked: a token bucket, and a closing time that the host itself sets. No clock
// and no timer in here: the gate asks how long to wait, waits, and asks again.

import { minutes } from './duration.ts'

export interface Pace {
  perMinute: number
  /** How many requests may go out at once after a quiet time. */
  burst: number
}

export interface PaceState {
  tokens: number
  countedAt: number
  /** The host wants nothing before this instant. */
  closedUntilAt: number
}

/** A host that asks for more than this is asked again after it, and may say so again. */
const LONGEST_CLOSED_MS = minutes(10)

export function freshPace({ burst }: Pace, now: number): PaceState {
  return { tokens: burst, countedAt: now, closedUntilAt: 0 }
}

/** How long until a request may go out; 0 when it may now. */
export function waitMs(state: PaceState, pace: Pace, now: number): number {
  const closedMs = Math.max(0, state.closedUntilAt - now)
  const missing = 1 - tokensAt(state, pace, now)
  return Math.max(closedMs, missing <= 0 ? 0 : Math.ceil((missing * minutes(1)) / pace.perMinute))
}

/** Counts one request that goes out now. */
export function spend(state: PaceState, pace: Pace, now: number): PaceState {
  return { ...state, tokens: tokensAt(state, pace, now) - 1, countedAt: now }
}

/** How many may go out now. */
export function available(state: PaceState, pace: Pace, now: number): number {
  return now < state.closedUntilAt ? 0 : Math.max(0, Math.floor(tokensAt(state, pace, now)))
}

export function closedFor(state: PaceState, closedMs: number, now: number): PaceState {
  const untilAt = now + Math.min(closedMs, LONGEST_CLOSED_MS)
  return { ...state, closedUntilAt: Math.max(state.closedUntilAt, untilAt) }
}

/** A clock that was set back counts as no time passed. */
function tokensAt({ tokens, countedAt }: PaceState, pace: Pace, now: number): number {
  const earned = (Math.max(0, now - countedAt) * pace.perMinute) / minutes(1)
  return Math.min(pace.burst, tokens + earned)
}
