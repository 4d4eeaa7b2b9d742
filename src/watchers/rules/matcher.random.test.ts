// The compiled matcher against the plain loop, on thousands of small random rules and texts. The
// alphabets are tiny, so that terms do appear, overlap and touch.

import { expect, test } from 'vitest'
import { plainMatcher } from '../../../bench/plain-matcher.ts'
import { oneOf, randomFrom, type Below } from '../../../bench/random.ts'
import { RULE_FIELDS, type Rule, type RuleKind } from '../../contract/watcher.ts'
import { compileMatcher, type Matchable, type WatcherRules } from './matcher.ts'

const ROUNDS = 100
const POSTS_A_ROUND = 12

const PLAIN = [...'aabbAB _1.']
const UNICODE = [...'aÉéßẞİi\u0307Σσς \n\u00a0😀𐐀𐐨']
const FOLDED = [...'sſSk\u212aσςµμßẞoᲂд1 ']

function listOf<Item>(below: Below, most: number, make: () => Item): Item[] {
  return Array.from({ length: below(most + 1) }, make)
}

function textOf(below: Below, alphabet: readonly string[], most: number): string {
  return listOf(below, most, () => oneOf(alphabet, below)).join('')
}

function termOf(below: Below, alphabet: readonly string[]): string {
  return `${textOf(below, alphabet, 3)}${oneOf(alphabet, below)}`.trim() || 'a'
}

/** Every construct the reader of regular expressions knows, and some it does not. */
function regexOf(below: Below, alphabet: readonly string[], depth = 0): string {
  const inner = () => regexOf(below, alphabet, depth + 1)
  const letter = () => oneOf(alphabet, below).replace('.', String.raw`\.`)
  const letters = () => `${letter()}${letter()}`
  const leaves = [
    letter,
    letters,
    letters,
    () => `${letters()}${letter()}`,
    () =>
      oneOf(
        ['.', String.raw`\s`, String.raw`\w`, String.raw`\b`, '^', '$', String.raw`\pL`],
        below,
      ),
    () => `[${letter()}${letter()}]`,
    () =>
      oneOf(['[^a]', '[a-c]', '[]a]', '[[:alpha:]]', String.raw`[\s1]`, String.raw`\Qa\E`], below),
  ]
  const branches = [
    () => `${inner()}${inner()}`,
    () => `${inner()}${inner()}`,
    () => `(${inner()}|${inner()})`,
    () => `(?:${inner()})${oneOf(['?', '*', '+', '{2}', '{1,2}', '{0,1}', '*?', '+?'], below)}`,
    () => `(?P<n${below(1_000_000)}>${inner()})`,
    () => `(?-i:${inner()})`,
  ]
  return oneOf(depth < 3 ? [...branches, ...leaves] : leaves, below)()
}

function ruleOf(below: Below, kind: RuleKind, alphabet: readonly string[]): Rule {
  const term = () => (kind === 'regex' ? regexOf(below, alphabet) : termOf(below, alphabet))
  const seldom = <Value>(value: Value) => (below(6) === 0 ? value : null)
  return {
    any: listOf(below, 3, term),
    all: listOf(below, 2, term),
    none: below(3) === 0 ? listOf(below, 2, term) : [],
    kind,
    fields: [...new Set([oneOf(RULE_FIELDS, below), oneOf(RULE_FIELDS, below)])],
    minScore: seldom(1),
    minComments: seldom(1),
    authors: below(6) === 0 ? [oneOf(alphabet, below)] : [],
    hasLink: seldom(below(2) === 0),
    tags: listOf(below, 2, () => oneOf(['x', 'y', 'z'], below)),
  }
}

function watchersOf(below: Below, kind: RuleKind, alphabet: readonly string[]): WatcherRules[] {
  return Array.from({ length: 4 }, (_, index) => ({
    organizationId: `org_${index % 2}`,
    watcherId: `wat_${index}`,
    rules: listOf(below, 4, () => ruleOf(below, kind, alphabet)),
  }))
}

function postOf(below: Below, alphabet: readonly string[]): Matchable {
  return {
    title: textOf(below, alphabet, 12),
    body: textOf(below, alphabet, 30),
    author: textOf(below, alphabet, 2),
    url: below(2) === 0 ? null : textOf(below, alphabet, 8),
    score: oneOf([null, 0, 1], below),
    numComments: oneOf([null, 0, 1], below),
  }
}

const CASES: [RuleKind, string, readonly string[]][] = [
  ['substring', 'plain', PLAIN],
  ['substring', 'Unicode', UNICODE],
  ['word', 'plain', PLAIN],
  ['word', 'Unicode', UNICODE],
  ['regex', 'plain', PLAIN],
  ['regex', 'Unicode', UNICODE],
  ['regex', 'case-folding', FOLDED],
]

test.each(CASES)('%s rules on %s text match as the plain loop says', (kind, _name, alphabet) => {
  const below = randomFrom(CASES.findIndex((one) => one[2] === alphabet) + kind.length * 1_000)
  let matched = 0

  for (let round = 0; round < ROUNDS; round += 1) {
    const watchers = watchersOf(below, kind, alphabet)
    const compiled = compileMatcher(watchers)
    const plain = plainMatcher(watchers)
    for (let count = 0; count < POSTS_A_ROUND; count += 1) {
      const post = postOf(below, alphabet)
      const matches = compiled.match(post)
      expect(matches, JSON.stringify({ watchers, post })).toEqual(plain.match(post))
      matched += matches.length
    }
  }

  // Neither nothing nor everything matches, or the comparison would say little.
  expect(matched).toBeGreaterThan(ROUNDS)
  expect(matched).toBeLessThan(ROUNDS * POSTS_A_ROUND * 3)
})
