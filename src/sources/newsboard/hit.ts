import { webAddress } from '../../lib/web-address.ts'
import { z } from 'zod'
import type { NewsboardChannel } from '../../contract/platform.ts'
import type { Post } from '../post.ts'
import { htmlToText } from '../text/html-to-text.ts'
import { authorOf, ifSound, permalinkOf, plainLine, Seconds } from './fields.ts'

/** A result of the search API. */
const Hit = z.object({
  objectID: ifSound(z.string().regex(/^\d+$/)),
  title: ifSound(z.string()),
  url: ifSound(z.string()),
  story_text: ifSound(z.string()),
  points: ifSound(z.int()),
  num_comments: ifSound(z.int().nonnegative()),
  created_at_i: ifSound(Seconds),
  author: ifSound(z.string()),
})
export type Hit = z.infer<typeof Hit>

export const SearchAnswer = z.object({
  hits: z.array(Hit.catch({})),
  /** How many there are, of which at most a thousand can be paged through. */
  nbHits: ifSound(z.int().nonnegative()),
  nbPages: ifSound(z.int().nonnegative()),
})
export type SearchAnswer = z.infer<typeof SearchAnswer>

/** Null for what is no post: comments have no title. */
export function postOfHit(hit: Hit, channel: NewsboardChannel): Post | null {
  const { objectID, created_at_i: createdS } = hit
  const title = plainLine(hit.title ?? '')
  if (objectID === undefined || createdS === undefined || title === '') return null

  return {
    platform: 'newsboard',
    forumId: objectID,
    subforum: channel,
    title,
    body: htmlToText(hit.story_text ?? ''),
    permalink: permalinkOf(objectID),
    url: webAddress(hit.url),
    score: hit.points ?? null,
    numComments: hit.num_comments ?? null,
    createdAt: createdS * 1_000,
    author: authorOf(hit.author),
  }
}
