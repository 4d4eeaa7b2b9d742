import { Parser } from 'htmlparser2'

/** Decodes `&amp;` and its like once, in a text that is otherwise no HTML. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  const parts: string[] = []
  const parser = new Parser({ ontext: (part) => parts.push(part) })
  parser.end(text.replaceAll('<', '&lt;'))
  return parts.join('')
}
