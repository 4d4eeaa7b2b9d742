import { Lexer, Tokenizer, type MarkedToken, type Token, type Tokens } from 'marked'
import { cut, LONGEST_TEXT, tidyLines } from './clean.ts'
import { decodeEntities } from './entities.ts'
import { PlainText } from './plain-text.ts'
import { isTangled } from './tangle.ts'

/** Matches nothing, and stops at the first character: what it stands for is taken as text. */
const NEVER = /^(?!)/

/** The text a reader would see. HTML within it is shown as it is written, as the platforms do. */
export function markdownToText(markdown: string): string {
  const source = cut(markdown, LONGEST_TEXT).replace(/\r\n?/g, '\n')
  if (isTangled(source)) return tidyLines(source)
  const out = new PlainText()
  try {
    write(tokensOf(source), out)
  } catch {
    return tidyLines(source) // one post that the parser cannot bear must not stop its channel
  }
  return out.end()
}

/**
 * Tables, but not the autolinks of the same dialect: they change no text, and on a long word they
 * take quadratic time. A line that begins with a spoiler (`>!`) is no quote.
 */
function tokensOf(markdown: string): Token[] {
  const tokenizer = new Tokenizer()
  const lexer = new Lexer({ gfm: true, tokenizer })
  const { block, inline } = Lexer.rules
  tokenizer.rules = {
    ...tokenizer.rules, // the lexer has set them
    block: { ...block.gfm, html: NEVER },
    inline: { ...inline.normal, tag: NEVER },
  }
  return lexer.lex(markdown.replace(/^>!/gm, '\\>!'))
}

function write(tokens: readonly Token[], out: PlainText): void {
  for (const token of tokens as MarkedToken[]) writeToken(token, out)
}

function writeToken(token: MarkedToken, out: PlainText): void {
  switch (token.type) {
    case 'paragraph':
    case 'heading':
    case 'blockquote':
      return writeBlock(token.tokens ?? [], out)
    case 'list':
      return writeList(token, out)
    case 'table':
      return writeTable(token, out)
    case 'code':
      return writeCode(token, out)
    case 'space':
    case 'hr':
      return out.paragraph()
    default:
      return writeInline(token, out)
  }
}

function writeInline(token: MarkedToken, out: PlainText): void {
  switch (token.type) {
    case 'br':
      return out.line()
    case 'codespan':
      return out.verbatim(token.text)
    case 'link':
      return writeLink(token, out)
    case 'image':
      return out.text(decodeEntities(token.text))
    case 'escape':
      return out.text(token.text)
    case 'def':
    case 'checkbox':
      return
    default:
      if ('tokens' in token && token.tokens !== undefined) return write(token.tokens, out)
      if ('text' in token) out.text(decodeEntities(token.text).replaceAll('~~', ''))
  }
}

function writeBlock(tokens: readonly Token[], out: PlainText): void {
  out.paragraph()
  write(tokens, out)
  out.paragraph()
}

function writeList({ items, loose }: Tokens.List, out: PlainText): void {
  if (loose) out.paragraph()
  for (const item of items) {
    out.line()
    write(item.tokens, out)
    out.line()
  }
}

function writeTable({ header, rows }: Tokens.Table, out: PlainText): void {
  out.paragraph()
  for (const row of [header, ...rows]) {
    out.line()
    for (const [column, cell] of row.entries()) {
      if (column > 0) out.verbatim('\t')
      write(cell.tokens, out)
    }
  }
  out.paragraph()
}

function writeCode({ text }: Tokens.Code, out: PlainText): void {
  out.paragraph()
  out.verbatim(text)
  out.paragraph()
}

function writeLink({ href, tokens }: Tokens.Link, out: PlainText): void {
  const { mark } = out
  write(tokens, out)
  if (out.since(mark) === '' && /^https?:\/\//i.test(href)) out.text(href)
}
