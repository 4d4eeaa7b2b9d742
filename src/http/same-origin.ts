export interface OriginCheck {
  /** The request's `Origin` header. */
  origin: string | undefined
  protocol: string
  host: string
  publicUrl: string | undefined
}

/**
 * Whether a browser says that our own pages sent the request: `Origin` is the public URL's, or that
 * of the very host the request came to. Absent is not the same: browsers send it with every write.
 */
export function isSameOrigin({ origin, protocol, host, publicUrl }: OriginCheck): boolean {
  if (origin === undefined) return false
  const ours = [`${protocol}://${host}`]
  if (publicUrl !== undefined) ours.push(new URL(publicUrl).origin)
  return ours.includes(origin)
}
