// The UTF-16 units that occur in patterns, numbered from 1; every other unit is 0. Patterns use few
// of the 256 pages of 256 units, so only those are kept. All white space counts as a blank.

import { BLANK, WHITE_SPACE } from './white-space.ts'

export const OTHER = 0

export const PAGE_BITS = 8
const PAGE_SIZE = 1 << PAGE_BITS
const PAGE_COUNT = 1 << (16 - PAGE_BITS)
export const IN_PAGE = PAGE_SIZE - 1

export interface Alphabet {
  size: number
  /** Where the page of a unit begins in `symbols`; the first page knows no unit. */
  pages: Uint32Array
  symbols: Uint16Array
}

/** Symbols have the order of their units, so that sorted patterns are sorted by symbol too. */
export function alphabetOf(patterns: readonly string[]): Alphabet {
  const units = [...unitsOf(patterns)].sort((a, b) => a - b)
  const hasBlank = units.includes(BLANK.charCodeAt(0))
  const blanks = hasBlank ? [...unitsOf([WHITE_SPACE])] : []
  const used = [...new Set([...units, ...blanks].map((unit) => unit >> PAGE_BITS))]
  const pages = new Uint32Array(PAGE_COUNT)
  for (const [index, page] of used.entries()) pages[page] = (index + 1) * PAGE_SIZE

  const symbols = new Uint16Array((used.length + 1) * PAGE_SIZE)
  const alphabet = { size: units.length + 1, pages, symbols }
  for (const [index, unit] of units.entries()) setSymbol(alphabet, unit, index + 1)
  for (const unit of blanks) setSymbol(alphabet, unit, blankOf(alphabet))
  return alphabet
}

export function symbolOf({ pages, symbols }: Alphabet, unit: number): number {
  return symbols[(pages[unit >> PAGE_BITS] ?? 0) + (unit & IN_PAGE)] ?? OTHER
}

export function blankOf(alphabet: Alphabet): number {
  return symbolOf(alphabet, BLANK.charCodeAt(0))
}

function setSymbol({ pages, symbols }: Alphabet, unit: number, symbol: number): void {
  symbols[(pages[unit >> PAGE_BITS] ?? 0) + (unit & IN_PAGE)] = symbol
}

function unitsOf(patterns: readonly string[]): Set<number> {
  const units = new Set<number>()
  for (const pattern of patterns) {
    for (let index = 0; index < pattern.length; index += 1) units.add(pattern.charCodeAt(index))
  }
  return units
}
