// Posts out of thin air, like enough to real ones for rules, search and judges to work on.

import type { Platform } from '../contract/platform.ts'
import type { NewPost } from './post.ts'
import { between, pick, type Random } from './random.ts'
import { body, drawWords, title, type TitleKind } from './titles.ts'
import { FIRST_NAMES, HOSTS, IMAGES, LAST_NAMES } from './vocabulary.ts'

/** Where a post appears. */
export interface Spot {
  platform: Platform
  subforum: string
}

const KINDS: Record<string, TitleKind> = { ask: 'ask', show: 'show', job: 'job', new: 'link' }

export function generatedPost(spot: Spot, random: Random): NewPost {
  const kind = spot.platform === 'newsboard' ? KINDS[spot.subforum] : undefined
  return kind === undefined ? forumPost(spot, random) : newsboardPost(spot, kind, random)
}

function forumPost(spot: Spot, random: Random): NewPost {
  const isLink = random() < 0.35
  const words = drawWords(random)
  const common = { ...spot, author: author(random), ...figures(random) }
  if (!isLink) {
    return {
      ...common,
      title: title('question', words, random),
      body: body(words, random, 'forum'),
    }
  }
  const url = random() < 0.3 ? image(random) : address(random)
  return { ...common, title: title('link', words, random), url }
}

function newsboardPost(spot: Spot, kind: TitleKind, random: Random): NewPost {
  const words = drawWords(random)
  const isPoll = kind === 'ask' && random() < 0.03
  return {
    ...spot,
    author: author(random),
    ...figures(random),
    title: title(kind, words, random),
    body: kind === 'ask' || random() < 0.1 ? body(words, random, 'newsboard') : '',
    url: kind === 'ask' ? null : address(random),
    ...(isPoll ? { kind: 'poll' as const } : {}),
  }
}

export function generatedComment(parent: string, random: Random): NewPost {
  const words = drawWords(random)
  return {
    platform: 'newsboard',
    subforum: 'new',
    kind: 'comment',
    parent,
    title: '',
    body: `We use ${words.product} for ${words.need}. It's *fine*.\n\nhttps://${pick(random, HOSTS)}/`,
    author: author(random),
  }
}

function author(random: Random): string {
  return `${pick(random, FIRST_NAMES)}${pick(random, LAST_NAMES)}`
}

/** Most posts get next to nothing, a few get everything. */
function figures(random: Random): { score: number; numComments: number } {
  const fame = random() ** 6
  return { score: 1 + Math.round(fame * 3_000), numComments: Math.round(fame * random() * 900) }
}

function address(random: Random): string {
  return `https://${pick(random, HOSTS)}/posts/${between(random, 1_000, 99_999)}?ref=front&v=2`
}

function image(random: Random): string {
  return `${pick(random, IMAGES)}${between(random, 10 ** 8, 10 ** 9).toString(36)}.png`
}
