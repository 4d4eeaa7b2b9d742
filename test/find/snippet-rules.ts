// What must hold of a snippet, without making one: what is wrong with it, or null. Texts may hold
// what looks like markup, and a snippet may leave that out; so where there is any, both are compared
// without it and without blanks.

import type { Fact } from './oracle.ts'

const LONGEST = 240
const ELLIPSIS = '…'
/** A longer match need not fit, together with the words it begins and ends in. */
const LONG_MATCH = 100

const MARKUP = /<\/?[a-z]+>|[-*_~`#>[\]()<|\\&]/gi

/** `q` is what was searched; null when the snippet is one of a list. */
export function faultOfSnippet(snippet: string, record: Fact, q: string | null): string | null {
  const text = collapsed(record.body === '' ? record.title : record.body)
  if (snippet.length > LONGEST) return `has ${snippet.length} characters`
  if (snippet !== collapsed(snippet)) return 'has blanks to collapse'
  if (isSame(snippet, text)) return null
  if (text.length <= LONGEST) return `must be the whole text ${JSON.stringify(text)}`
  return faultOfCut(snippet, text) ?? faultOfPlace(snippet, text, soughtIn(record, q))
}

/** What must be in the snippet, if anything. */
function soughtIn({ body }: Fact, q: string | null): string | null {
  const looked = (q ?? '').toWellFormed().trim().toLowerCase()
  return looked !== '' && body.toLowerCase().includes(looked) ? collapsed(looked) : null
}

function faultOfCut(snippet: string, text: string): string | null {
  if (!snippet.endsWith(ELLIPSIS)) return 'is cut and has no ellipsis'
  if (!snippet.isWellFormed()) return 'is cut within a character'
  const piece = snippet.slice(0, -1)
  if (piece.trim() === '') return 'has nothing in it'
  if (!bare(text).includes(bare(piece))) return 'is not a piece of the text'
  if (hasMarkup(text) || !piece.trim().includes(' ')) return null
  return isBetweenWords(piece, text) ? null : 'is not cut at a word'
}

/** Somewhere in the text the piece stands between blanks, or at an end of it. */
function isBetweenWords(piece: string, text: string): boolean {
  return ` ${text} `.includes(` ${piece.trim()} `)
}

function faultOfPlace(snippet: string, text: string, match: string | null): string | null {
  const piece = snippet.slice(0, -1)
  if (match === null) {
    return bare(text).startsWith(bare(piece)) ? null : 'does not begin with the text'
  }
  if (match.length > LONG_MATCH) return null
  return piece.toLowerCase().includes(match) ? null : `does not hold ${JSON.stringify(match)}`
}

function isSame(snippet: string, text: string): boolean {
  return snippet === text || (hasMarkup(text) && bare(snippet) === bare(text))
}

function hasMarkup(text: string): boolean {
  return bare(text) !== text.replace(/\s+/g, '')
}

function bare(text: string): string {
  return text.replace(MARKUP, '').replace(/\s+/g, '')
}

function collapsed(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
