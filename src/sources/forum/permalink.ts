/** On the configured site, whatever the platform wrote: a post never leads anywhere else. */
export function permalinkOf(path: string | null, id: string, webUrl: string): string {
  const { origin } = new URL(webUrl)
  const url = path === null || path === '' ? null : URL.parse(path, origin)
  if (url !== null && url.origin === origin && url.pathname !== '/') return url.href
  return `${origin}/comments/${encodeURIComponent(id)}`
}
