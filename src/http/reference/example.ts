import type { Described } from './document.ts'

/** A call to start from, for a shell with `EARSHOT_URL` and `EARSHOT_KEY` set. */
export function curlExample(method: string, path: string, described: Described): string {
  const { security, requestBody } = described
  const usesKey = security.some((each) => 'key' in each)
  const usesSession = security.some((each) => 'session' in each)
  const parts = [
    method === 'GET' ? 'curl' : `curl -X ${method}`,
    usesKey
      ? '-H "Authorization: Bearer $EARSHOT_KEY"'
      : `${usesSession ? '-b' : '-c'} cookies.txt`,
    ...(usesSession && method !== 'GET' ? ['-H "Origin: $EARSHOT_URL"'] : []),
    ...(requestBody === undefined ? [] : ["-H 'Content-Type: application/json' -d @body.json"]),
    `"$EARSHOT_URL${path}"`,
  ]
  return parts.join(' \\\n  ')
}
