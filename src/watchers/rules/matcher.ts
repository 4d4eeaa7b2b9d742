// One matcher for all rules of all watchers of a channel. A post is read once, whatever their
// number, and only rules of which something was seen in it are looked at.

import { RULE_FIELDS, type RuleField } from '../../contract/watcher.ts'
import { planRules, type Plan, type PlannedRule, type WatcherRules } from './plan.ts'
import { Sightings } from './sightings.ts'

export type { WatcherRules } from './plan.ts'

export interface Matchable {
  title: string
  body: string
  author: string
  url: string | null
  score: number | null
  numComments: number | null
}

/** That a watcher wants a post; term, field and position tell of its first rule that does. */
export interface Match {
  organizationId: string
  watcherId: string
  ruleIndex: number
  /** The first of the terms looked for that was found; null for a rule that looks for none. */
  term: string | null
  field: RuleField | null
  /** In UTF-16 units. */
  position: number | null
  /** Of all rules of the watcher that match. */
  tags: string[]
}

export interface Matcher {
  match(post: Matchable): Match[]
}

export function compileMatcher(watchers: readonly WatcherRules[]): Matcher {
  const plan = planRules(watchers)
  const sightings = new Sightings(plan)
  return {
    match(post) {
      const seen = sightings.look([post.title, post.body, post.author, post.url])
      const matching = worthALook(plan, post, seen).filter((planned) => holds(planned, sightings))
      return matchesOf(matching, sightings)
    },
  }
}

/** In the order of the watchers and of their rules. */
function worthALook(plan: Plan, post: Matchable, seen: readonly number[]): PlannedRule[] {
  const author = post.author.toLowerCase()
  const lists = [
    plan.always,
    plan.byAuthor.get(author) ?? [],
    ...seen.map((term) => plan.byTerm[term] ?? []),
  ]
  const rules: PlannedRule[] = []
  for (const list of lists) {
    for (const rule of list) if (isEligible(rule, post, author)) rules.push(rule)
  }
  rules.sort((a, b) => a.number - b.number)
  return rules.filter((rule, index) => rule !== rules[index - 1])
}

function isEligible({ rule, authors }: PlannedRule, post: Matchable, author: string): boolean {
  if (rule.minScore !== null && (post.score ?? 0) < rule.minScore) return false
  if (rule.minComments !== null && (post.numComments ?? 0) < rule.minComments) return false
  if (rule.hasLink !== null && rule.hasLink !== (post.url !== null)) return false
  return authors.size === 0 || authors.has(author)
}

function holds({ any, all, none, fields }: PlannedRule, sightings: Sightings): boolean {
  const appears = (term: number) => fields.some((field) => sightings.has(term, field))
  if (!all.every(appears)) return false
  return (any.length === 0 || any.some(appears)) && !none.some(appears)
}

function matchesOf(matching: readonly PlannedRule[], sightings: Sightings): Match[] {
  const matches = new Map<WatcherRules, Match>()
  for (const planned of matching) {
    const match = matches.get(planned.watcher)
    if (match === undefined) matches.set(planned.watcher, firstMatch(planned, sightings))
    else match.tags = [...new Set([...match.tags, ...planned.rule.tags])]
  }
  return [...matches.values()]
}

function firstMatch(planned: PlannedRule, sightings: Sightings): Match {
  const { watcher, ruleIndex, rule } = planned
  const { organizationId, watcherId } = watcher
  const tags = [...new Set(rule.tags)]
  return { organizationId, watcherId, ruleIndex, ...firstHit(planned, sightings), tags }
}

type Hit = Pick<Match, 'term' | 'field' | 'position'>

function firstHit({ rule, any, all, fields }: PlannedRule, sightings: Sightings): Hit {
  const written = [...rule.any, ...rule.all]
  const numbers = [...any, ...all]
  for (const field of fields) {
    let first: Hit | null = null
    for (const [index, number] of numbers.entries()) {
      const position = sightings.position(number, field)
      if (position === null || position >= (first?.position ?? Infinity)) continue
      first = { term: written[index] ?? null, field: RULE_FIELDS[field] ?? null, position }
    }
    if (first !== null) return first
  }
  return { term: null, field: null, position: null }
}
