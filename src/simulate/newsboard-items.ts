// The newsboard's items API: lists of ids, and what an id stands for.

import { hours } from '../lib/duration.ts'
import { figuresAt } from './growth.ts'
import type { WorldPost } from './post.ts'
import { newsboardHtml } from './text.ts'
import { newest } from './world.ts'

export const LISTS = [
  'newstories',
  'topstories',
  'askstories',
  'showstories',
  'jobstories',
] as const
export type ListName = (typeof LISTS)[number]

/** How many the platform lists, and what of. */
const LENGTHS: Record<ListName, number> = {
  newstories: 500,
  topstories: 500,
  askstories: 200,
  showstories: 200,
  jobstories: 200,
}

/** Only so many of the newest are ranked: what is older has no chance against them. */
const RANKED = 2_000

export function storyList(list: ListName, posts: readonly WorldPost[], now: number): number[] {
  const length = LENGTHS[list]
  if (list === 'topstories') return idsOf(ranked(posts, now).slice(0, length))
  if (list === 'newstories') return idsOf(newest(posts, length, ({ kind }) => kind !== 'job'))
  const section = list.replace('stories', '')
  return idsOf(newest(posts, length, ({ subforum }) => subforum === section))
}

/** Votes against age, the way the platform has described its own ranking. */
export function ranked(posts: readonly WorldPost[], now: number): WorldPost[] {
  return newest(posts, RANKED)
    .map((post) => ({ post, rank: rankOf(post, now) }))
    .sort((first, second) => second.rank - first.rank)
    .map(({ post }) => post)
}

function rankOf(post: WorldPost, now: number): number {
  const ageHours = Math.max(0, now - post.createdAt) / hours(1)
  return (figuresAt(post, now).score - 1) / (ageHours + 2) ** 1.8
}

function idsOf(posts: readonly WorldPost[]): number[] {
  return posts.map(({ forumId }) => Number(forumId))
}

/** Fields that have no value are left out, as the platform does. */
export function item(post: WorldPost, now: number): Record<string, unknown> {
  const { forumId, kind, author, createdAt, removal } = post
  const identity = { id: Number(forumId), time: Math.floor(createdAt / 1_000), type: kind }
  if (removal === 'deleted') return { ...identity, deleted: true }

  const { score, numComments } = figuresAt(post, now)
  const isComment = kind === 'comment'
  return {
    by: author,
    ...identity,
    ...(isComment ? { parent: Number(post.parent) } : { score, title: post.title }),
    ...(isComment || kind === 'job' ? {} : { descendants: numComments }),
    ...(kind === 'poll' ? { parts: [] } : {}),
    ...(post.kids.length === 0 ? {} : { kids: post.kids.map(Number) }),
    ...(post.body === '' ? {} : { text: newsboardHtml(post.body) }),
    ...(post.url === null ? {} : { url: post.url }),
    ...(removal === null ? {} : { dead: true }),
  }
}

export function updates(changed: readonly WorldPost[]): { items: number[]; profiles: string[] } {
  return {
    items: [...new Set(idsOf(changed))],
    profiles: [...new Set(changed.map(({ author }) => author))],
  }
}
