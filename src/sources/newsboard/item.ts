import { webAddress } from '../../lib/web-address.ts'
import { z } from 'zod'
import type { NewsboardChannel } from '../../contract/platform.ts'
import type { Post } from '../post.ts'
import { htmlToText } from '../text/html-to-text.ts'
import { authorOf, ifSound, permalinkOf, plainLine, Seconds } from './fields.ts'

/** The platform answers null for an id it does not know, or does not know yet. */
export const Item = z
  .object({
    id: ifSound(z.int().positive()),
    type: ifSound(z.string()),
    title: ifSound(z.string()),
    text: ifSound(z.string()),
    url: ifSound(z.string()),
    by: ifSound(z.string()),
    time: ifSound(Seconds),
    score: ifSound(z.int()),
    descendants: ifSound(z.int().nonnegative()),
    deleted: ifSound(z.boolean()),
    dead: ifSound(z.boolean()),
  })
  .nullable()
export type Item = NonNullable<z.infer<typeof Item>>

const POST_TYPES = new Set(['story', 'job', 'poll'])

export function isRemoved(item: Item): boolean {
  return item.deleted === true || item.dead === true
}

/** Null for what is no post: a comment, an option of a poll, or an item without title or date. */
export function postOfItem(item: Item, channel: NewsboardChannel): Post | null {
  const { id, time } = item
  const title = plainLine(item.title ?? '')
  if (id === undefined || time === undefined || title === '') return null
  if (isRemoved(item) || !POST_TYPES.has(item.type ?? '')) return null

  return {
    platform: 'newsboard',
    forumId: String(id),
    subforum: channel,
    title,
    body: htmlToText(item.text ?? ''),
    permalink: permalinkOf(String(id)),
    url: webAddress(item.url),
    score: item.score ?? null,
    numComments: item.descendants ?? null,
    createdAt: time * 1_000,
    author: authorOf(item.by),
  }
}

/** An item does not say which lists it was on; its type and title tell where it belongs. */
export function channelOfItem({ type, title = '' }: Item): NewsboardChannel {
  if (type === 'job') return 'job'
  if (/^ask hn:/i.test(title)) return 'ask'
  return /^show hn:/i.test(title) ? 'show' : 'new'
}
