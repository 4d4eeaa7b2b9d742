import { Parser } from 'htmlparser2'
import { cut, LONGEST_TEXT } from '../text/clean.ts'
import { htmlToText } from '../text/html-to-text.ts'

/**
 * What an entry's HTML holds: the post's own text (the part of class `md`), and around it a picture,
 * who submitted it, and two anchors, `[link]` and `[comments]`.
 */
export interface FeedContent {
  body: string
  link: string | null
}

export function readContent(html: string): FeedContent {
  const source = cut(html, LONGEST_TEXT)
  const reader = new ContentReader()
  const parser = new Parser({
    onopentag: (name, attributes) => reader.open(name, attributes, parser.endIndex + 1),
    ontext: (text) => reader.text(text),
    onclosetag: (name) => reader.close(name, parser.startIndex),
  })
  parser.end(source)
  const { from, to, link } = reader
  return { body: from === null ? '' : htmlToText(source.slice(from, to)), link }
}

class ContentReader {
  from: number | null = null
  to: number | undefined
  link: string | null = null
  #depth = 0
  #href: string | null = null

  open(name: string, attributes: Record<string, string>, endAt: number): void {
    if (this.#depth > 0) {
      if (name === 'div') this.#depth += 1
      return
    }
    if (name === 'a') this.#href = attributes['href'] ?? null
    const isText = name === 'div' && (attributes['class'] ?? '').split(' ').includes('md')
    if (!isText || this.from !== null) return
    this.#depth = 1
    this.from = endAt
  }

  text(text: string): void {
    if (this.#depth === 0 && text.trim() === '[link]') this.link ??= this.#href
  }

  close(name: string, startAt: number): void {
    if (name === 'a') this.#href = null
    if (name !== 'div' || this.#depth === 0) return
    this.#depth -= 1
    if (this.#depth === 0) this.to = startAt
  }
}
