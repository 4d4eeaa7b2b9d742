// What a matcher knows of the rules before the first post: their terms as numbers, and at the sight
// of which of them a rule is worth a look.

import { RULE_FIELDS, type Rule } from '../../contract/watcher.ts'
import { cluesOf, emptyVocabulary, rarityOf, termNumber, type Vocabulary } from './vocabulary.ts'

export interface WatcherRules {
  organizationId: string
  watcherId: string
  rules: readonly Rule[]
}

export interface PlannedRule {
  /** By the order of the watchers, then of their rules. */
  number: number
  rule: Rule
  ruleIndex: number
  watcher: WatcherRules
  fields: readonly number[]
  any: readonly number[]
  all: readonly number[]
  none: readonly number[]
  authors: ReadonlySet<string>
}

export interface Plan {
  vocabulary: Vocabulary
  /** The fields in which terms are looked for. */
  fields: readonly number[]
  /** For each term, the rules it makes worth a look. */
  byTerm: readonly (readonly PlannedRule[])[]
  /** Rules that wait for no term, by author. */
  byAuthor: ReadonlyMap<string, readonly PlannedRule[]>
  /** Rules that wait for nothing. */
  always: readonly PlannedRule[]
}

const NO_RULES: readonly PlannedRule[] = []

export function planRules(watchers: readonly WatcherRules[]): Plan {
  const vocabulary = emptyVocabulary()
  const rules = watchers
    .flatMap((watcher) => watcher.rules.map((rule, ruleIndex) => ({ watcher, rule, ruleIndex })))
    .map((place, number) => ({ ...place, number, ...comparable(vocabulary, place.rule) }))

  const byTerm = new Map<number, PlannedRule[]>()
  const byAuthor = new Map<string, PlannedRule[]>()
  const always: PlannedRule[] = []
  for (const rule of rules) {
    const clues = cluesOfRule(vocabulary, rule)
    for (const clue of clues) append(byTerm, clue, rule)
    if (clues.size > 0) continue
    for (const author of rule.authors) append(byAuthor, author, rule)
    if (rule.authors.size === 0) always.push(rule)
  }
  return {
    vocabulary,
    fields: fieldsOf(rules),
    byTerm: vocabulary.terms.map((_, number) => byTerm.get(number) ?? NO_RULES),
    byAuthor,
    always,
  }
}

/** In the order of the fields, without repeats. */
export function fieldsOf(rules: readonly PlannedRule[]): number[] {
  const used = rules.filter(({ any, all, none }) => any.length + all.length + none.length > 0)
  return [...new Set(used.flatMap(({ fields }) => fields))].sort((a, b) => a - b)
}

function comparable(vocabulary: Vocabulary, rule: Rule) {
  const numbers = (terms: readonly string[]) =>
    terms.map((term) => termNumber(vocabulary, rule.kind, term))
  return {
    fields: rule.fields.map((field) => RULE_FIELDS.indexOf(field)),
    any: numbers(rule.any),
    all: numbers(rule.all),
    none: numbers(rule.none),
    authors: new Set(rule.authors.map((author) => author.toLowerCase())),
  }
}

/** One term of `all` is enough to wait for, the rarest; of `any`, every one counts. */
function cluesOfRule(vocabulary: Vocabulary, { any, all }: PlannedRule): Set<number> {
  const ways = all.map((term) => cluesOf(vocabulary, term))
  if (any.length > 0) ways.push(any.flatMap((term) => cluesOf(vocabulary, term)))
  const [rarest] = ways.toSorted((a, b) => rarityOf(vocabulary, b) - rarityOf(vocabulary, a))
  return new Set(rarest)
}

function append<Key>(lists: Map<Key, PlannedRule[]>, key: Key, rule: PlannedRule): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [rule])
  else list.push(rule)
}
