// When a channel is fetched next. Only decides: time and chance come in.

import { hours, seconds } from '../lib/duration.ts'

const JITTER = 0.1
const FIRST_RETRY_MS = seconds(30)
const LONGEST_RETRY_MS = hours(1)

export interface RoundOutcome {
  /** The shortest interval of the channel's watchers. */
  intervalMs: number
  /** How often it has failed in a row, this time included; 0 when it went well. */
  failures: number
  /** What the platform asked for. */
  retryAfterMs: number | null
  now: number
  /** From 0 to 1. */
  chance: number
}

/**
 * A tenth to and fro, so that channels that were started together do not stay together. After
 * failures the wait doubles up to an hour, and what the platform asked for lengthens it: a broken
 * channel is tried now and then, and the first success closes the matter.
 */
export function nextFetchAt(outcome: RoundOutcome): number {
  const { intervalMs, failures, retryAfterMs, now, chance } = outcome
  const waitMs = failures === 0 ? intervalMs : retryDelayMs(intervalMs, failures)
  const jittered = waitMs * (1 + JITTER * (2 * chance - 1))
  return now + Math.round(Math.max(jittered, retryAfterMs ?? 0))
}

function retryDelayMs(intervalMs: number, failures: number): number {
  const first = Math.min(FIRST_RETRY_MS, intervalMs)
  return Math.min(first * 2 ** (failures - 1), LONGEST_RETRY_MS)
}
