// Where a webhook may lead, as far as its text tells; which address it really leads to is looked at when
// a connection is made.

const CHARACTERS_MAX = 2_048

/** What is wrong with it, in words that say how to mend it; null when nothing is. */
export function mistakeInUrl(text: string, { production }: { production: boolean }): string | null {
  if (text.length > CHARACTERS_MAX) return `Use at most ${CHARACTERS_MAX} characters.`
  // Parsers mend what is written in other ways; then it would not be what people see.
  const [, host] = /^https?:\/\/([^\s/\\?#]+)[^\s\\]*$/i.exec(text) ?? []
  const url = URL.parse(text)
  if (url === null || host === undefined) {
    return 'Give a whole address, like https://example.com/hooks.'
  }
  if (host.includes('@')) return 'Leave out the user and password: deliveries are signed instead.'
  if (text.includes('#')) return 'Leave out what is behind the #: it is never sent.'
  if (production && url.protocol !== 'https:')
    return 'Use https: in production nothing else is sent to.'
  return null
}
