// Watchers and their rules, as people write them: in a file for the command line, and later in the
// dashboard.

import { z } from 'zod'
import { Name } from './fields.ts'
import { channelKey, NEWSBOARD_CHANNELS, Platform } from './platform.ts'
import { Tag } from './tag.ts'

const TERM_MAX = 200
const TERMS_MAX = 200
const RULES_MAX = 100
const CHANNELS_MAX = 100
const TAGS_MAX = 20
const BRIEF_MAX = 2_000
const COUNT_MAX = 1_000_000_000

const DEFAULT_INTERVAL_SECONDS = 300
const MAX_INTERVAL_SECONDS = 86_400

const NUL = '\0'
const hasNoNul = (text: string) => !text.includes(NUL)

const Term = z
  .string()
  .trim()
  .min(1, 'a term cannot be empty')
  .max(TERM_MAX, `a term has at most ${TERM_MAX} characters`)
  .refine(hasNoNul, 'a term cannot hold a NUL character')

const Terms = z.array(Term).default([])

const Count = z.number().int().min(-COUNT_MAX).max(COUNT_MAX).nullable().default(null)

const RULE_KINDS = ['substring', 'word', 'regex'] as const
export type RuleKind = (typeof RULE_KINDS)[number]

export const RULE_FIELDS = ['title', 'body', 'author', 'link'] as const
export type RuleField = (typeof RULE_FIELDS)[number]

export const Rule = z
  .strictObject({
    any: Terms.describe('At least one of these must appear.'),
    all: Terms.describe('Every one of these must appear.'),
    none: Terms.describe('None of these may appear.'),
    kind: z.enum(RULE_KINDS).default('substring').describe('How the terms are compared.'),
    fields: z
      .array(z.enum(RULE_FIELDS))
      .min(1, 'name at least one field')
      .default(['title', 'body'])
      .transform((fields) => [...new Set(fields)]),
    minScore: Count,
    minComments: Count,
    authors: z.array(Term).max(TERMS_MAX).default([]).describe('Only posts by one of these.'),
    hasLink: z.boolean().nullable().default(null).describe('Only posts with, or without, a link.'),
    tags: z.array(Tag).max(TAGS_MAX).default([]).describe('Given to every record it matches.'),
  })
  .refine(({ any, all, none }) => any.length + all.length + none.length <= TERMS_MAX, {
    error: `a rule has too many terms: at most ${TERMS_MAX} in any, all and none together`,
  })
  .refine((rule) => !isEmptyRule(rule), {
    error: 'a rule cannot be empty: give it terms in any, all or none, or another condition',
  })
export type Rule = z.infer<typeof Rule>

function isEmptyRule(rule: {
  any: string[]
  all: string[]
  none: string[]
  authors: string[]
  minScore: number | null
  minComments: number | null
  hasLink: boolean | null
}): boolean {
  const lists = [rule.any, rule.all, rule.none, rule.authors]
  const limits = [rule.minScore, rule.minComments, rule.hasLink]
  return lists.every((list) => list.length === 0) && limits.every((limit) => limit === null)
}

const FORUM_NAME = /^[a-z0-9_]{2,50}$/

export const Channel = z
  .strictObject({ platform: Platform, subforum: z.string().trim().min(1) })
  .transform(({ platform, subforum }) => ({
    platform,
    subforum: subforum.replace(/^\/?r\//i, ''),
    key: channelKey(subforum),
  }))
  .refine(({ platform, key }) => platform !== 'forum' || FORUM_NAME.test(key), {
    error: 'the name of a forum channel has 2 to 50 letters, digits or underscores',
    path: ['subforum'],
  })
  .refine(
    ({ platform, key }) =>
      platform !== 'newsboard' || (NEWSBOARD_CHANNELS as readonly string[]).includes(key),
    { error: `newsboard has the channels ${NEWSBOARD_CHANNELS.join(', ')}`, path: ['subforum'] },
  )
export type Channel = z.infer<typeof Channel>

export const NewWatcher = z.strictObject({
  name: Name.refine(hasNoNul, 'a name cannot hold a NUL character'),
  channels: z
    .array(Channel)
    .min(1, 'name at least one channel')
    .max(CHANNELS_MAX, `a watcher has at most ${CHANNELS_MAX} channels`)
    .transform(withoutRepeats),
  rules: z.array(Rule).max(RULES_MAX, `a watcher has at most ${RULES_MAX} rules`).default([]),
  brief: z.string().trim().max(BRIEF_MAX).refine(hasNoNul).nullable().default(null),
  intervalSeconds: z
    .number()
    .int()
    .min(1)
    .max(MAX_INTERVAL_SECONDS, `at most ${MAX_INTERVAL_SECONDS} seconds, which is a day`)
    .default(DEFAULT_INTERVAL_SECONDS),
})
export type NewWatcher = z.infer<typeof NewWatcher>

function withoutRepeats(channels: readonly Channel[]): Channel[] {
  return [...new Map(channels.map((one) => [`${one.platform}/${one.key}`, one])).values()]
}
