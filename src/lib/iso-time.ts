import { BoundedMap } from './bounded-map.ts'
import { days, hours, minutes, seconds } from './duration.ts'

const DAY_MS = days(1)
const HOUR_MS = hours(1)
const MINUTE_MS = minutes(1)
const SECOND_MS = seconds(1)
const LATEST_AT = Date.UTC(9999, 11, 31)

const DAYS_KEPT = 2_000
const dates = new BoundedMap<number, string>(DAYS_KEPT)

/**
 * Milliseconds since 1970 as the API writes them: ISO 8601 in UTC. As `toISOString`, in a quarter of the
 * time: of most days there are many instants.
 */
export function isoTime(ms: number): string {
  if (!Number.isInteger(ms) || ms < 0 || ms > LATEST_AT) return new Date(ms).toISOString()
  const day = Math.floor(ms / DAY_MS)
  const rest = ms - day * DAY_MS
  const hour = Math.floor(rest / HOUR_MS)
  const minute = Math.floor((rest % HOUR_MS) / MINUTE_MS)
  const second = Math.floor((rest % MINUTE_MS) / SECOND_MS)
  const milliseconds = String(rest % SECOND_MS).padStart(3, '0')
  return `${dateOf(day)}T${two(hour)}:${two(minute)}:${two(second)}.${milliseconds}Z`
}

/** Of what may not have happened yet. */
export function isoTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms)
}

function dateOf(day: number): string {
  const known = dates.get(day)
  if (known !== undefined) return known
  const date = new Date(day * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length)
  dates.set(day, date)
  return date
}

function two(number: number): string {
  return number < 10 ? `0${number}` : String(number)
}
