import { seconds } from '../../lib/duration.ts'
import type { SourceError } from '../source.ts'

const ATTEMPTS = 3
const FIRST_MS = 500
/** A host's wish up to this is waited for within the request; a longer one is the caller's matter. */
const LONGEST_WAIT_MS = seconds(5)
/** No attempt begins later than this after the first: slow failures must not hold up a run. */
const LAST_BEGIN_MS = seconds(30)

export interface Failed {
  error: SourceError
  /** Counted from 1. */
  attempt: number
  /** Since the first attempt began. */
  elapsedMs: number
}

/**
 * How long to wait before the next attempt; null when there is none. Doubling, with full jitter (0
 * up to the whole delay), so that many who failed together do not come back together.
 */
export function retryWaitMs({ error, attempt, elapsedMs }: Failed, random: number): number | null {
  if (error.failure !== 'unreachable' && error.failure !== 'throttled') return null
  if (attempt >= ATTEMPTS || elapsedMs > LAST_BEGIN_MS) return null
  const wishMs = error.retryAfterMs ?? 0
  if (wishMs > LONGEST_WAIT_MS) return null
  return wishMs + Math.floor(random * FIRST_MS * 2 ** (attempt - 1))
}
