// Datasets of thousands of records, made cheaply of a number: common words and rare ones, a channel
// that has nearly everything and one that has three records, tags and watchers of either kind. What is
// rare is rare enough that a look at the newest few hundred does not find it.

import { oneOf, randomFrom, type Below } from '../../bench/random.ts'
import type { ChannelName } from './oracle.ts'
import { LINKS, type Fate, type Plan, type PlannedPost, type Telling } from './worlds.ts'

const DAY_MS = 86_400_000
const SPAN_DAYS = 40

const COMMON = ['the', 'backup', 'Server', 'of', 'and', 'É', 'für', 'что', '日本', 'x']
const USUAL = Array.from({ length: 300 }, (_, index) => `w${index.toString(36)}o${index % 7}`)

/** Each in about one record of a thousand. */
const RARE = [
  'Zürich',
  'ΟΔΟΣ',
  'İzmir',
  '東京都',
  'q%z',
  'k_j',
  'C:\\temp',
  '"so"',
  '😀🇩🇪',
  'zq',
  'ж',
]

/** What requests look for, beside what is cut out of the records. */
export const SOUGHT = [
  ...COMMON,
  ...RARE,
  ...RARE,
  ...USUAL.slice(0, 5),
  'absent',
  'zzz',
  'qj',
  '%',
  'the backup',
  'backup the',
]

const CHANNELS: readonly ChannelName[] = [
  { platform: 'forum', subforum: 'SaaS' },
  { platform: 'forum', subforum: 'new' },
  { platform: 'newsboard', subforum: 'ask' },
  { platform: 'newsboard', subforum: 'new' },
]
const MAIN: ChannelName = { platform: 'forum', subforum: 'selfhosted' }
const RARE_CHANNEL: ChannelName = { platform: 'forum', subforum: 'a_b' }

const WATCHERS: Plan['watchers'] = [
  { channels: [MAIN], isDeleted: false },
  { channels: [RARE_CHANNEL], isDeleted: false },
  { channels: [...CHANNELS], isDeleted: false },
  { channels: [{ platform: 'newsboard', subforum: 'show' }], isDeleted: false },
  { channels: [MAIN], isDeleted: true },
]

export function manyRecords(seed: number, size: number): Plan {
  const below = randomFrom(seed)
  const posts = Array.from({ length: size }, (_, number) => plannedPost(below, number))
  return { watchers: WATCHERS, posts }
}

function plannedPost(below: Below, number: number): PlannedPost {
  const in1000 = (share: number) => below(1_000) < share
  return {
    number,
    channel: channelOf(below),
    at: 3 * DAY_MS - below(SPAN_DAYS * 24 * 60) * 60_000 - (in1000(50) ? below(DAY_MS) : 0),
    round: below(12),
    told: tellingOf(below),
    verification: in1000(60) ? 'coincidental' : null,
    read: in1000(300),
    archived: in1000(100),
    personTags: [...(in1000(1) ? ['été'] : []), ...(in1000(20) ? ["it's"] : [])],
    intent: 'DISCUSSING',
    fate: fateOf(below),
  }
}

function channelOf(below: Below): ChannelName {
  if (below(1_500) === 0) return RARE_CHANNEL
  return below(4) > 0 ? MAIN : oneOf(CHANNELS, below)
}

function fateOf(below: Below): Fate {
  const chance = below(1_000)
  if (chance < 20) return { kind: 'edited', told: tellingOf(below) }
  if (chance < 30) return { kind: 'removed' }
  if (chance < 40) return { kind: 'purged' }
  return chance < 45 ? { kind: 'returns', told: tellingOf(below) } : { kind: 'stays' }
}

function tellingOf(below: Below): Telling {
  const in1000 = (share: number) => below(1_000) < share
  return {
    title: wordsOf(below, 1 + below(4)) || 'untitled',
    body: in1000(300) ? '' : wordsOf(below, 1 + below(14)),
    link: in1000(5) ? 2 : below(2) * below(LINKS.length),
    score: in1000(2) ? 1_000 + below(3) : below(12) - 2,
    numComments: in1000(2) ? 999 + below(3) : below(5),
    author: 'ann',
    matches: matchesOf(below),
    seenIn: in1000(3) ? 'show' : null,
  }
}

function matchesOf(below: Below): Telling['matches'] {
  const in1000 = (share: number) => below(1_000) < share
  const common = { watcher: 0, tags: in1000(700) ? ['backup'] : [], isByTerm: true }
  const rare = { watcher: 1, tags: ['a%b'], isByTerm: false }
  const deleted = { watcher: 4, tags: ['Backup'], isByTerm: true }
  return [
    ...(in1000(400) ? [common] : []),
    ...(in1000(2) ? [rare] : []),
    ...(in1000(3) ? [deleted] : []),
  ]
}

function wordsOf(below: Below, count: number): string {
  return Array.from({ length: count }, () => wordOf(below)).join(below(20) === 0 ? '' : ' ')
}

function wordOf(below: Below): string {
  const chance = below(10_000)
  if (chance < (9 * RARE.length) / 8) return oneOf(RARE, below)
  return oneOf(chance < 4_000 ? COMMON : USUAL, below)
}
