// A short excerpt of a text, for people who look through a list.

import { plainLine } from './plain-line.ts'

const LONGEST = 240
/** What is shown before a match, to read it in its sentence. */
const BEFORE_MATCH = 60
export const ELLIPSIS = '…'

/** Markup takes room too: more than this cannot be of use. */
const LOOKED_AT = 4_000

/** A part of a text: as much as somebody had. */
export interface TextPart {
  text: string
  /** Whether it begins and ends where the whole text does. */
  begins: boolean
  ends: boolean
}

/** The beginning of a text. */
export function snippetOf(whole: string): string {
  const text = whole.length > LOOKED_AT ? whole.replace(/(\s)\s+/g, '$1') : whole
  const ends = text.length <= LOOKED_AT
  const line = plainLine(ends ? text : text.slice(0, wholeCharacter(text, LOOKED_AT)))
  return ends && line.length <= LONGEST ? line : cutBefore(line, 0)
}

/** What is around the first match of `term`, which is in lower case; null when it is not there. */
export function snippetAround({ text, begins, ends }: TextPart, term: string): string | null {
  const place = placeOf(text, term)
  if (place === null) return null
  const { line, at, length } = place
  if (begins && ends && line.length <= LONGEST) return line
  const start = begins && at + length < LONGEST ? 0 : startBefore(line, at, length)
  return cutBefore(line.slice(start), at + length - start)
}

interface Place {
  line: string
  /** Where the match is, and how long. */
  at: number
  length: number
}

/** Without markup, unless what was searched for is markup. */
function placeOf(text: string, term: string): Place | null {
  const wanted = collapsed(term)
  for (const line of [plainLine(text), collapsed(text)]) {
    const at = indexIn(line, wanted)
    if (at >= 0) return { line, at, length: wanted.length }
  }
  return null
}

/** Some letters have more characters in lower case, so that what is behind them moves. */
function indexIn(line: string, wanted: string): number {
  const lower = line.toLowerCase()
  const at = lower.indexOf(wanted)
  if (lower.length === line.length || at < 0) return at
  let index = 0
  let passed = 0
  for (const character of line) {
    if (passed >= at) break
    passed += character.toLowerCase().length
    index += character.length
  }
  return index
}

/** The beginning of a word a little before the match. */
function startBefore(line: string, at: number, length: number): number {
  const room = Math.max(0, LONGEST - ELLIPSIS.length - length)
  const earliest = at - Math.min(BEFORE_MATCH, room)
  if (earliest <= 0) return 0
  const blank = line.indexOf(' ', earliest - 1)
  return blank >= 0 && blank < at ? blank + 1 : wholeCharacter(line, earliest)
}

/** At the last word that ends in time, unless that would cut off what must be seen. */
function cutBefore(text: string, seen: number): string {
  const room = LONGEST - ELLIPSIS.length
  if (text.length <= room) return `${text.trimEnd()}${ELLIPSIS}`
  const blank = text.lastIndexOf(' ', room)
  const least = Math.max(room / 2, Math.min(seen, room))
  const cut = text.slice(0, blank >= least ? blank : wholeCharacter(text, room))
  return `${cut.trimEnd()}${ELLIPSIS}`
}

/** Not between the two halves of one character. */
function wholeCharacter(text: string, index: number): number {
  const code = text.charCodeAt(index)
  return code >= 0xdc00 && code <= 0xdfff ? index - 1 : index
}

function collapsed(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
