// The distinct terms of all rules, numbered. A term that many rules share is looked for once.

import type { RuleKind } from '../../contract/watcher.ts'
import { requiredTexts } from './required-texts.ts'
import { withSingleBlanks } from './white-space.ts'

/** A `hint` is a text that a regular expression cannot match without. */
export type TermKind = RuleKind | 'hint'

export interface Term {
  kind: TermKind
  /** As it is compared: lower-cased, or the regular expression as it was written. */
  text: string
  /** Groups of hints: a regular expression needs one of each group. Empty if none is known. */
  hints: readonly (readonly number[])[]
  /** How often it is asked for. */
  uses: number
}

export interface Vocabulary {
  terms: Term[]
  numbers: Map<string, number>
}

const NO_TERM: Term = { kind: 'regex', text: '', hints: [], uses: 1 }

export function emptyVocabulary(): Vocabulary {
  return { terms: [], numbers: new Map() }
}

export function termNumber(vocabulary: Vocabulary, kind: TermKind, written: string): number {
  const text = comparedText(kind, written)
  const key = `${kind} ${text}`
  const number = vocabulary.numbers.get(key) ?? vocabulary.terms.length
  const known = vocabulary.terms[number]
  if (known !== undefined) {
    known.uses += 1
    return number
  }
  const term: Term = { kind, text, hints: [], uses: 1 }
  vocabulary.terms.push(term)
  vocabulary.numbers.set(key, number)
  if (kind === 'regex') term.hints = hintsOf(vocabulary, text)
  return number
}

/** What is looked for in order to find the term: itself, or what it cannot be without. */
export function cluesOf(vocabulary: Vocabulary, number: number): readonly number[] {
  const hints = vocabulary.terms[number]?.hints ?? []
  const [rarest] = hints.toSorted((a, b) => rarityOf(vocabulary, b) - rarityOf(vocabulary, a))
  return rarest ?? [number]
}

/**
 * How seldom one of the terms may be expected: long ones are rare, and what many rules ask for is a
 * word many people use. Nothing is known of a regular expression.
 */
export function rarityOf({ terms }: Vocabulary, numbers: readonly number[]): number {
  return Math.min(
    ...numbers.map((number) => {
      const { kind, text, uses } = terms[number] ?? NO_TERM
      return kind === 'regex' ? -Infinity : text.length - Math.log2(uses)
    }),
  )
}

/** The pattern by which the automaton notices the term; null for a regular expression. */
export function patternOf({ kind, text }: Term): string | null {
  return kind === 'regex' ? null : withSingleBlanks(text)
}

function comparedText(kind: TermKind, written: string): string {
  switch (kind) {
    case 'substring':
      return written.toLowerCase()
    case 'word':
      return withSingleBlanks(written.trim()).toLowerCase()
    case 'regex':
    case 'hint':
      return written
  }
}

function hintsOf(vocabulary: Vocabulary, regex: string): number[][] {
  return requiredTexts(regex).map((group) =>
    group.map((text) => termNumber(vocabulary, 'hint', text)),
  )
}
