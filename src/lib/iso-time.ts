/** Milliseconds since 1970 as the API writes them: ISO 8601 in UTC. */
export function isoTime(instant: number): string {
  return new Date(instant).toISOString()
}
