// Looks for all literal terms, and for the hints of regular expressions, in one pass over a text.
// What is read at every hit lies in typed arrays: as objects it cost 300 ns a hit, mostly waiting
// for memory.

import { buildAutomaton, scan, type Automaton } from './automaton.ts'
import { foldedLower } from './folding.ts'
import { ABSENT, SOMEWHERE, type Marks } from './marks.ts'
import { patternOf, type Term } from './vocabulary.ts'
import { BLANK, isWhiteSpace } from './white-space.ts'
import { isWholeWord } from './word-boundary.ts'

const HINT = 0
const SUBSTRING = 1
const WORD = 2
/** With blanks, which the automaton does not tell apart. */
const SPACED_SUBSTRING = 3
const PHRASE = 4

export class LiteralScanner {
  readonly #terms: readonly Term[]
  readonly #marks: Marks
  readonly #automaton: Automaton
  /** The terms of all patterns, pattern by pattern, and where those of each begin. */
  readonly #numbers: Int32Array
  readonly #starts: Int32Array
  /** By term. */
  readonly #kinds: Uint8Array
  readonly #lengths: Int32Array
  readonly #hasHints: boolean
  readonly #onHit = (pattern: number, last: number) => this.#noteAll(pattern, last)
  #field = 0
  #lower = ''
  #isFolded = false
  #seen: number[] = []

  constructor(terms: readonly Term[], marks: Marks) {
    const byPattern = numbersByPattern(terms)
    const patterns = [...byPattern.keys()].sort()
    const numbers = patterns.map((pattern) => byPattern.get(pattern) ?? [])
    this.#terms = terms
    this.#marks = marks
    this.#automaton = buildAutomaton(patterns)
    this.#numbers = Int32Array.from(numbers.flat())
    this.#starts = startsOf(numbers)
    this.#kinds = Uint8Array.from(terms, kindOf)
    this.#lengths = Int32Array.from(terms, ({ text }) => text.length)
    this.#hasHints = terms.some(({ kind }) => kind === 'hint')
  }

  /** Marks what is in the lower-cased text of a field, and adds it to `seen`. */
  scanField(field: number, lower: string, seen: number[]): void {
    this.#field = field
    this.#lower = lower
    this.#isFolded = false
    this.#seen = seen
    scan(this.#automaton, lower, this.#onHit)

    const folded = this.#hasHints ? foldedLower(lower) : lower
    if (folded === lower) return
    this.#isFolded = true
    scan(this.#automaton, folded, this.#onHit)
  }

  #noteAll(pattern: number, last: number): void {
    const end = this.#starts[pattern + 1] ?? 0
    for (let index = this.#starts[pattern] ?? 0; index < end; index += 1) {
      const term = this.#numbers[index] ?? 0
      if (!this.#marks.isMarked(term, this.#field)) this.#note(term, last)
    }
  }

  #note(term: number, last: number): void {
    if (this.#isFolded && this.#kinds[term] !== HINT) return
    const position = this.#positionOf(term, last)
    if (position === null) return
    this.#marks.mark(term, this.#field, position)
    if (position !== ABSENT) this.#seen.push(term)
  }

  /** Where the term is, given where its pattern ends; null if it is not there but may yet come. */
  #positionOf(term: number, last: number): number | null {
    const kind = this.#kinds[term]
    if (kind === HINT) return SOMEWHERE
    const start = last + 1 - (this.#lengths[term] ?? 0)
    if (kind === SUBSTRING) return start
    if (kind === WORD) return isWholeWord(this.#lower, start, last + 1) ? start : null

    const text = this.#terms[term]?.text ?? ''
    if (kind === SPACED_SUBSTRING) return this.#lower.indexOf(text)
    const phraseStart = startOfPhrase(text, this.#lower, last)
    return isWholeWord(this.#lower, phraseStart, last + 1) ? phraseStart : null
  }
}

function kindOf({ kind, text }: Term): number {
  if (kind === 'word') return text.includes(BLANK) ? PHRASE : WORD
  if (kind === 'hint') return HINT
  return /\s/.test(text) ? SPACED_SUBSTRING : SUBSTRING
}

function numbersByPattern(terms: readonly Term[]): Map<string, number[]> {
  const byPattern = new Map<string, number[]>()
  for (const [number, term] of terms.entries()) {
    const pattern = patternOf(term)
    if (pattern === null) continue
    const others = byPattern.get(pattern)
    if (others === undefined) byPattern.set(pattern, [number])
    else others.push(number)
  }
  return byPattern
}

function startsOf(lists: readonly (readonly number[])[]): Int32Array {
  const starts = new Int32Array(lists.length + 1)
  for (const [index, list] of lists.entries()) {
    starts[index + 1] = (starts[index] ?? 0) + list.length
  }
  return starts
}

/** Each blank of the phrase stands for a run of white space. */
function startOfPhrase(phrase: string, lower: string, last: number): number {
  let start = last
  for (let index = phrase.length - 1; index >= 0; index -= 1) {
    if (phrase.charAt(index) === BLANK) {
      while (isWhiteSpace(lower.charCodeAt(start))) start -= 1
    } else {
      start -= 1
    }
  }
  return start + 1
}
