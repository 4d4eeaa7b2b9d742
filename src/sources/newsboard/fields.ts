// What items and search hits have in common: how a field that may be missing or odd is read.

import { z } from 'zod'
import { cleanText } from '../text/clean.ts'
import { htmlToText } from '../text/html-to-text.ts'

/** The last second of the year 9999: what is beyond is no date. */
const LATEST_S = 253_402_300_799

/** Several times what the platform lets people write in a title or a name. */
const LONGEST_LINE = 500

export const Seconds = z.int().positive().max(LATEST_S)

/** A field that is absent, null or of another type does not spoil the rest. */
export function ifSound<Schema extends z.ZodType>(schema: Schema) {
  return schema.optional().catch(undefined)
}

/** Titles come as HTML without tags: a `<` is one that somebody typed. */
export function plainLine(html: string): string {
  return cleanText(htmlToText(html.replaceAll('<', '&lt;')), LONGEST_LINE)
}

/** Null for what no browser could follow from here: nothing, a path, another scheme. */
export function webAddress(text: string | undefined): string | null {
  const address = URL.parse(text ?? '')
  if (address === null || !/^https?:$/.test(address.protocol)) return null
  const typed = (text ?? '').trim()
  return /[\s\p{Cc}]/u.test(typed) ? address.href : typed
}

export function authorOf(name: string | undefined): string {
  return plainLine(name ?? '') || '[deleted]'
}

export function permalinkOf(forumId: string): string {
  return `https://news.ycombinator.com/item?id=${forumId}`
}
