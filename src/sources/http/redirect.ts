const REDIRECTING = new Set([301, 302, 303, 307, 308])

/** Where an answer sends us; null when it does not, or when the place cannot be read. */
export function redirectTarget(
  { status, headers }: { status: number; headers: Record<string, string> },
  from: URL,
): URL | null {
  const location = headers['location']
  if (!REDIRECTING.has(status) || location === undefined) return null
  return URL.parse(location, from)
}
