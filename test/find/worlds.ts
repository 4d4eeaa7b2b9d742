// Small datasets, planned: what an organization watches, what comes in, and what happens to it later.

import fc from 'fast-check'
import type { Record as WireRecord } from '#src/contract/record.ts'
import type { ChannelName } from './oracle.ts'
import { body, title } from './texts.ts'

/** What a platform tells of a post and may tell otherwise the next time. */
export interface Telling {
  title: string
  body: string
  link: number
  score: number | null
  numComments: number | null
  author: string
  matches: PlannedMatch[]
  /** The channel it was seen in; null as of an import. */
  seenIn: string | null
}

interface PlannedMatch {
  /** By index; one that does not exist matches nothing. */
  watcher: number
  tags: string[]
  /** Whether a keyword was found, which is something to judge. */
  isByTerm: boolean
}

export interface PlannedPost {
  number: number
  channel: ChannelName
  /** Milliseconds after the beginning of the world's day. */
  at: number
  /** All of one round have the same firstSeenAt. */
  round: number
  told: Telling
  verification: WireRecord['verification'] | null
  read: boolean
  archived: boolean
  /** Given by a person. */
  personTags: string[]
  intent: WireRecord['intent']
  fate: Fate
}

export type Fate =
  | { kind: 'stays' }
  | { kind: 'edited'; told: Telling }
  | { kind: 'removed' }
  | { kind: 'purged' }
  /** Removed, and then there again. */
  | { kind: 'returns'; told: Telling }

export interface Plan {
  watchers: { channels: ChannelName[]; isDeleted: boolean }[]
  posts: PlannedPost[]
}

/** What the links of posts are, and whether one looks like an image. */
export const LINKS: readonly { url: string | null; isImage: boolean }[] = [
  { url: null, isImage: false },
  { url: 'https://example.com/article', isImage: false },
  { url: 'https://example.com/a/photo.JPG?size=2', isImage: true },
  { url: 'https://i.redd.it/abc', isImage: true },
  { url: 'https://example.com/photo.png.html', isImage: false },
  { url: 'https://i.redd.it.example.com/abc', isImage: false },
]

const WATCHED: readonly ChannelName[] = [
  { platform: 'forum', subforum: 'selfhosted' },
  { platform: 'forum', subforum: 'SelfHosted' },
  { platform: 'forum', subforum: 'SaaS' },
  { platform: 'forum', subforum: 'new' },
  { platform: 'forum', subforum: 'a_b' },
  { platform: 'newsboard', subforum: 'new' },
  { platform: 'newsboard', subforum: 'ask' },
  { platform: 'newsboard', subforum: 'show' },
]

/** Records may also come by an import, from any channel. */
const CHANNELS: readonly ChannelName[] = [
  ...WATCHED,
  { platform: 'forum', subforum: 'selfhosted' },
  { platform: 'forum', subforum: 'axb' },
  { platform: 'forum', subforum: 'İstanbul' },
  { platform: 'forum', subforum: 'ΟΔΟΣ 😀' },
  { platform: 'newsboard', subforum: 'job' },
]

export const SUBFORUMS = [...new Set(CHANNELS.map(({ subforum }) => subforum))]
export const TAGS = ['backup', 'Backup', 'été', 'a%b', "it's", 'two words', '😀', '！']

const DAY_MS = 86_400_000

/** Few, so that there are ties; at the borders of days, because dates mean whole days. */
const TIMES = [-400 * DAY_MS, -1, 0, 1, DAY_MS / 2, DAY_MS - 1, DAY_MS, DAY_MS + 1, 3 * DAY_MS]

const POSTS_MAX = 60
const WATCHERS_MAX = 4

const seldom = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null, freq: 1 })

const count = fc.option(fc.constantFrom(-7, -1, 0, 1, 2, 2, 3, 10, 1_000), { nil: null, freq: 6 })

const match: fc.Arbitrary<PlannedMatch> = fc.record({
  watcher: fc.nat(WATCHERS_MAX - 1),
  tags: fc.subarray(TAGS, { maxLength: 2 }),
  isByTerm: fc.boolean(),
})

const told: fc.Arbitrary<Telling> = fc.record({
  title,
  body,
  link: fc.nat(LINKS.length - 1),
  score: count,
  numComments: count,
  author: fc.constantFrom('ann', 'Zoë', "o'neill", 'unknown'),
  matches: fc.uniqueArray(match, { maxLength: 2, selector: ({ watcher }) => watcher }),
  seenIn: seldom(fc.constantFrom('selfhosted', 'saas', 'new', 'ask', 'show')),
})

const fate: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 12, arbitrary: fc.constant({ kind: 'stays' as const }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('edited' as const), told }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'removed' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'purged' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('returns' as const), told }) },
)

const post: fc.Arbitrary<PlannedPost> = fc.record({
  number: fc.nat(POSTS_MAX * 2),
  channel: fc.constantFrom(...CHANNELS),
  at: fc.constantFrom(...TIMES),
  round: fc.nat(3),
  told,
  verification: seldom(
    fc.constantFrom<WireRecord['verification']>('coincidental', 'confirmed', 'pending', 'clear'),
  ),
  read: fc.boolean(),
  archived: fc.nat(3).map((value) => value === 3),
  personTags: fc.oneof(
    { weight: 3, arbitrary: fc.constant<string[]>([]) },
    { weight: 1, arbitrary: fc.subarray(TAGS, { maxLength: 3 }) },
  ),
  intent: fc.constantFrom<WireRecord['intent']>('DISCUSSING', 'BUYING', 'ASKING'),
  fate,
})

export const plan: fc.Arbitrary<Plan> = fc.record({
  watchers: fc.array(
    fc.record({
      channels: fc.subarray([...WATCHED], { minLength: 1, maxLength: 3 }),
      isDeleted: fc.nat(5).map((value) => value === 5),
    }),
    { maxLength: WATCHERS_MAX, size: 'max' },
  ),
  posts: fc.uniqueArray(post, {
    maxLength: POSTS_MAX,
    size: 'max',
    selector: ({ number, channel: { platform } }) => `${platform}/${number}`,
  }),
})
