// What items and search hits have in common: how a field that may be missing or odd is read.

import { z } from 'zod'
import { seconds } from '../../lib/duration.ts'
import { isPostTime } from '../post.ts'
import { cleanText } from '../text/clean.ts'
import { decodeEntities } from '../text/entities.ts'

/** Several times what the platform lets people write in a title or a name. */
const LONGEST_LINE = 500

export const Seconds = z.int().refine((count) => isPostTime(seconds(count)))

/** A field that is absent, null or of another type does not spoil the rest. */
export function ifSound<Schema extends z.ZodType>(schema: Schema) {
  return schema.optional().catch(undefined)
}

/** Titles come as HTML without tags: a `<` is one that somebody typed. */
export function plainLine(html: string): string {
  return cleanText(decodeEntities(html), LONGEST_LINE)
}

export function authorOf(name: string | undefined): string {
  return plainLine(name ?? '') || '[deleted]'
}

export function permalinkOf(forumId: string): string {
  return `https://news.ycombinator.com/item?id=${forumId}`
}
