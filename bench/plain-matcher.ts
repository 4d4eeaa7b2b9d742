// The meaning of rules in the plainest words: every post against every rule against every term. It
// is what the compiled matcher is compared with, in speed and in results.

import { RE2JS } from 're2js'
import type { Rule, RuleField, RuleKind } from '../src/contract/watcher.ts'
import type { Match, Matchable, Matcher, WatcherRules } from '../src/watchers/rules/matcher.ts'

interface Text {
  original: string
  lower: string
}

type Texts = Record<RuleField, Text | null>

/** Where a term first appears in a text. */
type Find = (text: Text) => number | null

interface PlainRule {
  rule: Rule
  positive: { term: string; find: Find }[]
  any: Find[]
  all: Find[]
  none: Find[]
}

export function plainMatcher(watchers: readonly WatcherRules[]): Matcher {
  const plain = watchers.map((watcher) => ({ watcher, rules: watcher.rules.map(plainRule) }))
  return {
    match(post) {
      const texts = textsOf(post)
      return plain.flatMap(({ watcher, rules }) => {
        const matching = rules.filter((rule) => holds(rule, post, texts))
        const [first] = matching
        return first === undefined ? [] : [matchOf(watcher, matching, firstHit(first, texts))]
      })
    },
  }

  function matchOf(
    { organizationId, watcherId, rules }: WatcherRules,
    matching: readonly PlainRule[],
    hit: Pick<Match, 'term' | 'field' | 'position'>,
  ): Match {
    const ruleIndex = rules.findIndex((rule) => rule === matching[0]?.rule)
    const tags = [...new Set(matching.flatMap(({ rule }) => rule.tags))]
    return { organizationId, watcherId, ruleIndex, ...hit, tags }
  }
}

function plainRule(rule: Rule): PlainRule {
  const find = (term: string) => finder(rule.kind, term)
  return {
    rule,
    positive: [...rule.any, ...rule.all].map((term) => ({ term, find: find(term) })),
    any: rule.any.map(find),
    all: rule.all.map(find),
    none: rule.none.map(find),
  }
}

function holds({ rule, any, all, none }: PlainRule, post: Matchable, texts: Texts): boolean {
  const appears = (find: Find) =>
    rule.fields.some((field) => {
      const text = texts[field]
      return text !== null && find(text) !== null
    })
  if (!isEligible(rule, post) || !all.every(appears)) return false
  return (any.length === 0 || any.some(appears)) && !none.some(appears)
}

function isEligible(rule: Rule, { score, numComments, url, author }: Matchable): boolean {
  if ((score ?? 0) < (rule.minScore ?? -Infinity)) return false
  if ((numComments ?? 0) < (rule.minComments ?? -Infinity)) return false
  if (rule.hasLink !== null && rule.hasLink !== (url !== null)) return false
  return isWanted(rule.authors, author)
}

function isWanted(authors: readonly string[], author: string): boolean {
  const lower = author.toLowerCase()
  return authors.length === 0 || authors.some((one) => one.toLowerCase() === lower)
}

function firstHit({ rule, positive }: PlainRule, texts: Texts) {
  for (const field of rule.fields) {
    const text = texts[field]
    if (text === null) continue
    let first: { term: string; field: RuleField; position: number } | null = null
    for (const { term, find } of positive) {
      const position = find(text)
      if (position === null) continue
      if (first === null || position < first.position) first = { term, field, position }
    }
    if (first !== null) return first
  }
  return { term: null, field: null, position: null }
}

function finder(kind: RuleKind, term: string): Find {
  const lowerTerm = term.toLowerCase()
  switch (kind) {
    case 'substring':
      return (text) => inOriginal(text, text.lower.indexOf(lowerTerm))
    case 'word': {
      const words = lowerTerm.trim().split(/\s+/)
      const phrase = words.map(RegExp.escape).join(String.raw`\s+`)
      const whole = new RegExp(String.raw`(?<![\p{L}\p{N}_])${phrase}(?![\p{L}\p{N}_])`, 'u')
      // The quick look first, as anybody would write it.
      return (text) =>
        words.every((word) => text.lower.includes(word))
          ? inOriginal(text, text.lower.search(whole))
          : null
    }
    case 'regex': {
      const regex = RE2JS.compile(term, RE2JS.CASE_INSENSITIVE)
      return ({ original }) => {
        if (!regex.test(original)) return null
        const matcher = regex.matcher(original)
        return matcher.find() ? matcher.start() : null
      }
    }
  }
}

function inOriginal({ original, lower }: Text, offset: number): number | null {
  if (offset === -1) return null
  if (original.length === lower.length) return offset
  const lengths = Array.from(original.split(''), (unit) => unit.toLowerCase().length)
  let lowerAt = 0
  return lengths.findIndex((length) => (lowerAt += length) > offset)
}

function textsOf({ title, body, author, url }: Matchable): Texts {
  const text = (original: string) => ({ original, lower: original.toLowerCase() })
  return {
    title: text(title),
    body: text(body),
    author: text(author),
    link: url === null ? null : text(url),
  }
}
