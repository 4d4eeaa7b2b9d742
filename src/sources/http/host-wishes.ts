// What a host says about how it wants to be asked, in the headers of any answer.

import { days, seconds } from '../../lib/duration.ts'
import { retryAfterMs as wishIn } from '../../lib/retry-after.ts'

/** Nobody means to be asked again in years: more than this is a mistake. */
const LONGEST_WISH_MS = days(1)

type AnswerHeaders = Record<string, string>

/** `Retry-After` in seconds or as a date; null when there is none that can be read. */
export function retryAfterMs(headers: AnswerHeaders, now: number): number | null {
  return wishIn(headers['retry-after']?.trim() ?? '', now)
}

/** How long the host wants to be left alone after this answer; 0 when it does not mind. */
export function closedMs(status: number, headers: AnswerHeaders, now: number): number {
  const isRefusal = status === 429 || status === 503
  const refusedMs = isRefusal ? (retryAfterMs(headers, now) ?? 0) : 0
  return Math.max(refusedMs, usedUpMs(headers))
}

/** The remaining requests of the platform's own count are a float: 0.5 is not one more. */
function usedUpMs(headers: AnswerHeaders): number {
  const remaining = numberIn(headers['x-ratelimit-remaining'])
  const resetSeconds = numberIn(headers['x-ratelimit-reset'])
  if (remaining === null || resetSeconds === null || remaining >= 1) return 0
  return Math.min(seconds(resetSeconds), LONGEST_WISH_MS)
}

function numberIn(value: string | undefined): number | null {
  const text = value?.trim() ?? ''
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : null
}
