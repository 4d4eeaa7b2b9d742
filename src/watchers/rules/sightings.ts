// What is seen of the terms in the post at hand. Literal terms are looked for at once; regular
// expressions run when somebody asks and one of their hints was seen. Those without a hint that
// rules wait for run together on every post.

import type { RE2JS } from 're2js'
import { originalOffset } from './folding.ts'
import { LiteralScanner } from './literal-scanner.ts'
import { ABSENT, Marks, SOMEWHERE } from './marks.ts'
import { fieldsOf, type Plan } from './plan.ts'
import {
  compileRegex,
  firstPosition,
  regexSets,
  type RegexSet,
  type UnhintedRegex,
} from './regex.ts'
import type { Term } from './vocabulary.ts'

/** The text of each field, in the order of `RULE_FIELDS`; null for a field the post has not. */
export type Texts = readonly (string | null)[]

export class Sightings {
  readonly #plan: Plan
  readonly #terms: readonly Term[]
  readonly #marks: Marks
  readonly #scanner: LiteralScanner
  readonly #sets: readonly RegexSet[]
  readonly #regexes = new Map<number, RE2JS>()
  #texts: Texts = []

  constructor(plan: Plan) {
    const { terms } = plan.vocabulary
    this.#plan = plan
    this.#terms = terms
    this.#marks = new Marks(terms.length)
    this.#scanner = new LiteralScanner(terms, this.#marks)
    this.#sets = regexSets(unhinted(plan))
  }

  /** Looks at a post and tells what it noticed at once; a term of two fields comes twice. */
  look(texts: Texts): readonly number[] {
    const seen: number[] = []
    this.#texts = texts
    this.#marks.startLook()
    for (const field of this.#plan.fields) {
      const text = texts[field] ?? null
      if (text !== null) this.#scanner.scanField(field, text.toLowerCase(), seen)
    }
    for (const set of this.#sets) this.#trySet(set, seen)
    return seen
  }

  has(term: number, field: number): boolean {
    if (this.#marks.isMarked(term, field)) return this.#marks.position(term, field) !== ABSENT
    if (this.#terms[term]?.kind !== 'regex') return false

    const isThere = this.#runRegex(term, field)
    this.#marks.mark(term, field, isThere ? SOMEWHERE : ABSENT)
    return isThere
  }

  /** In UTF-16 units of the field's text as it is in the post. */
  position(term: number, field: number): number | null {
    const text = this.#texts[field] ?? null
    if (text === null || !this.has(term, field)) return null
    if (this.#terms[term]?.kind === 'regex') return firstPosition(this.#regex(term), text)
    return originalOffset(text, this.#marks.position(term, field))
  }

  #runRegex(term: number, field: number): boolean {
    const text = this.#texts[field] ?? null
    const hints = this.#terms[term]?.hints ?? []
    const isPossible = hints.every((group) => group.some((hint) => this.has(hint, field)))
    return text !== null && isPossible && this.#regex(term).test(text)
  }

  #trySet({ set, names, fields }: RegexSet, seen: number[]): void {
    for (const field of fields) {
      const text = this.#texts[field] ?? null
      if (text === null) continue
      for (const name of names) this.#marks.mark(name, field, ABSENT)
      for (const index of set.match(text)) {
        const name = names[index] ?? 0
        this.#marks.mark(name, field, SOMEWHERE)
        seen.push(name)
      }
    }
  }

  /** Compiled when it is first needed: most posts need few of many. */
  #regex(term: number): RE2JS {
    const known = this.#regexes.get(term)
    if (known !== undefined) return known
    const regex = compileRegex(this.#terms[term]?.text ?? '')
    this.#regexes.set(term, regex)
    return regex
  }
}

/** The regular expressions that rules wait for without a hint. */
function unhinted({ vocabulary, byTerm }: Plan): UnhintedRegex[] {
  return vocabulary.terms.flatMap(({ kind, text }, name) => {
    const rules = byTerm[name] ?? []
    return kind === 'regex' && rules.length > 0 ? [{ name, text, fields: fieldsOf(rules) }] : []
  })
}
