/** An address below a base, which may have a path of its own, with or without a slash at its end. */
export function address(base: string, path: string, query: Record<string, string> = {}): URL {
  const url = new URL(base)
  url.pathname = url.pathname.replace(/\/+$/, '') + path
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url
}
