import { days, seconds } from './duration.ts'

/** Nobody means to be asked again in years: more than this is a mistake. */
const LONGEST_WISH_MS = days(1)

/** `Retry-After` in seconds or as a date; null when there is none that can be read. */
export function retryAfterMs(value: string, now: number): number | null {
  if (value === '') return null
  const wishMs = /^\d+(\.\d+)?$/.test(value) ? seconds(Number(value)) : Date.parse(value) - now
  return Number.isNaN(wishMs) ? null : Math.min(Math.max(0, wishMs), LONGEST_WISH_MS)
}
