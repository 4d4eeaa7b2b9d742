import { Parser } from 'htmlparser2'
import { cut, LONGEST_TEXT } from './clean.ts'
import { PlainText } from './plain-text.ts'

const DROPPED = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'object'])
const PARAGRAPHS = new Set(
  ['p', 'blockquote', 'pre', 'ul', 'ol', 'dl', 'table', 'hr', 'figure'].concat([
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'section',
    'article',
  ]),
)
const LINES = new Set(['div', 'li', 'tr', 'dt', 'dd', 'header', 'footer', 'figcaption', 'option'])
const CELLS = new Set(['td', 'th'])

/** The text a reader would see. Entities are decoded once; what is no markup stays as it is. */
export function htmlToText(html: string): string {
  const reader = new HtmlReader()
  const parser = new Parser({
    onopentag: (name, attributes) => reader.open(name, attributes),
    ontext: (text) => reader.text(text),
    onclosetag: (name) => reader.close(name),
  })
  parser.end(cut(html, LONGEST_TEXT))
  return reader.out.end()
}

class HtmlReader {
  readonly out = new PlainText()
  readonly #links: { mark: number; href: string }[] = []
  #dropping = 0
  #verbatim = 0

  open(name: string, attributes: Record<string, string>): void {
    if (DROPPED.has(name)) this.#dropping += 1
    if (this.#dropping > 0) return
    this.#break(name)
    if (name === 'br') this.out.lineBreak()
    if (name === 'pre') this.#verbatim += 1
    if (name === 'img') this.out.text(` ${attributes['alt'] ?? ''} `)
    if (name === 'a') this.#links.push({ mark: this.out.mark, href: attributes['href'] ?? '' })
  }

  text(text: string): void {
    if (this.#dropping > 0) return
    if (this.#verbatim > 0) this.out.verbatim(text)
    else this.out.text(text)
  }

  close(name: string): void {
    if (DROPPED.has(name)) this.#dropping -= 1
    if (this.#dropping > 0) return
    this.#break(name)
    if (name === 'pre') this.#verbatim -= 1
    if (name === 'a') this.#closeLink()
    if (CELLS.has(name)) this.out.verbatim('\t')
  }

  #break(name: string): void {
    if (PARAGRAPHS.has(name)) this.out.paragraph()
    else if (LINES.has(name)) this.out.line()
  }

  /** An address shown shortened is written out, one shown not at all is shown. */
  #closeLink(): void {
    const link = this.#links.pop()
    if (link === undefined || !/^https?:\/\//i.test(link.href)) return
    const shown = this.out.since(link.mark)
    const isShortened = shown.endsWith('...') && link.href.startsWith(shown.slice(0, -3))
    if (shown === '' || isShortened) this.out.replaceSince(link.mark, link.href)
  }
}
