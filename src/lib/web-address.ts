/**
 * An http or https address as it was typed, or null for what no browser could follow: nothing, a
 * path, another scheme. What could not be stored or shown as it is comes in its encoded form.
 */
export function webAddress(text: string | null | undefined): string | null {
  const typed = (text ?? '').trim()
  const address = URL.parse(typed)
  if (address === null || !/^https?:$/.test(address.protocol)) return null
  return /[\s\p{C}]/u.test(typed) ? address.href : typed
}
