/** Never in a text, and never in what is searched: a match cannot span title and body. */
export const BORDER = '\u001f'

/** What literal search looks at: lower-cased with full Unicode rules, once, when it is stored. */
export function searchText(title: string, body: string): string {
  return `${title.toLowerCase()}${BORDER}${body.toLowerCase()}`
}
