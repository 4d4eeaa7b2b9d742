// Rules as people write them, made of the words of real posts: most posts match few of them.

import { Rule } from '../src/contract/watcher.ts'
import type { WatcherRules } from '../src/watchers/rules/matcher.ts'
import { oneOf, type Below } from './random.ts'

const RULES_A_WATCHER = 5

/** A term is in so many of a million posts: names of products, places, trades. */
const RAREST_PER_MILLION = 20
const COMMONEST_PER_MILLION = 300

const LONG = 6

/** Few posts have it. */
const HIGH_SCORE = 5_000

/** Of the kind that has no word in it; people write the same few. */
const WORDLESS = [
  String.raw`\b\d+(\.\d+)?\s?%`,
  String.raw`\bv?\d+\.\d+(\.\d+)?\b`,
  String.raw`\b(19|20)\d\d\b`,
  String.raw`[$€£]\s?\d+`,
  String.raw`^\[[^\]]+\]`,
  String.raw`\b\d{1,3}(,\d{3})+\b`,
  String.raw`\?\s*$`,
  String.raw`\b[a-z]\d{3,}\b`,
]

export interface Words {
  rare: readonly string[]
  /** Rare ones that are seldom a part of others. */
  long: readonly string[]
  common: readonly string[]
  phrases: readonly string[]
}

export function wordsOf(texts: readonly string[]): Words {
  const counts = new Map<string, number>()
  const phrases: string[] = []
  for (const text of texts) {
    const words = text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []
    for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1)
    const pair = words.slice(2, 4)
    if (pair.length === 2) phrases.push(pair.join(' '))
  }
  const perMillion = (word: string) => ((counts.get(word) ?? 0) / texts.length) * 1e6
  const all = [...counts.keys()]
  const rare = all.filter((word) => isRare(perMillion(word)))
  return {
    rare,
    long: rare.filter((word) => word.length >= LONG),
    common: all.filter((word) => perMillion(word) > 10_000),
    phrases,
  }
}

export function watchersOf(words: Words, count: number, below: Below): WatcherRules[] {
  const rules = Array.from({ length: count }, (_, index) => ruleOf(index % 100, words, below))
  return Array.from({ length: Math.ceil(count / RULES_A_WATCHER) }, (_, index) => ({
    organizationId: `org_${index % 50}`,
    watcherId: `wat_${index}`,
    rules: rules.slice(index * RULES_A_WATCHER, (index + 1) * RULES_A_WATCHER),
  }))
}

/** Of every hundred rules exactly so many are of each kind, however many hundreds there are. */
function ruleOf(place: number, words: Words, below: Below): Rule {
  const rare = () => oneOf(words.rare, below)
  const long = () => oneOf(words.long, below)
  const common = () => oneOf(words.common, below)
  const some = (word: () => string) => Array.from({ length: 1 + below(5) }, word)
  if (place < 40) return rule({ any: some(long) })
  if (place < 68) return rule({ any: some(rare), kind: 'word' })
  if (place < 78) return rule({ all: [long(), common()] })
  if (place < 88) return rule({ any: some(rare), none: [common(), rare()], kind: 'word' })
  if (place < 92) return rule({ any: [oneOf(words.phrases, below)], kind: 'word', minScore: 10 })
  if (place < 95) return rule({ any: [long()], fields: ['title', 'link'], hasLink: true })
  if (place < 99) return rule({ any: [regexOf(long, below)], kind: 'regex' })
  return rule({ any: [oneOf(WORDLESS, below)], kind: 'regex', minScore: HIGH_SCORE })
}

function regexOf(rare: () => string, below: Below): string {
  const shapes = [
    () => String.raw`\b${rare()}s?\b`,
    () => String.raw`${rare()}\W+(\w+\W+){0,3}${rare()}`,
    () => String.raw`(${rare()}|${rare()}|${rare()})\s+\w+`,
    () => `(looking for|recommend).{0,40}${rare()}`,
    () => `${rare()}[- ]?\\d+`,
  ]
  return oneOf(shapes, below)()
}

function rule(written: Partial<Rule>): Rule {
  return Rule.parse({ tags: ['seen'], ...written })
}

function isRare(perMillion: number): boolean {
  return perMillion >= RAREST_PER_MILLION && perMillion <= COMMONEST_PER_MILLION
}
