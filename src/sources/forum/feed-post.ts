import { isPostTime } from '../post.ts'
import { cleanText } from '../text/clean.ts'
import { readContent } from './feed-content.ts'
import type { Entry } from './feed-entries.ts'
import { permalinkOf } from './permalink.ts'
import { linkOf, LONGEST_NAME, LONGEST_TITLE, UNKNOWN_AUTHOR } from './submission.ts'
import type { Place, Seen } from './submission.ts'

/** Null for what lacks an id, a title or a date, and for what is no post. */
export function feedPostOf(entry: Entry, { webUrl, channel }: Place): Seen | null {
  const id = /^t3_(?<id>\w+)$/.exec(entry.id.trim())?.groups?.['id']
  const title = cleanText(entry.title, LONGEST_TITLE)
  const createdAt = instantOf(entry.published) ?? instantOf(entry.updated)
  if (id === undefined || title === '' || createdAt === null) return null
  const permalink = permalinkOf(entry.link, id, webUrl)
  const { body, link } = readContent(entry.content)
  const post = {
    platform: 'forum' as const,
    forumId: id,
    subforum: cleanText(entry.category, LONGEST_NAME) || channel,
    title,
    body,
    permalink,
    url: linkOf(link, permalink),
    score: null,
    numComments: null,
    createdAt,
    author: authorOf(entry.author),
  }
  return { id, createdAt, post }
}

/** Only what is written as Atom wants it: `Date.parse` makes a date of almost anything. */
function instantOf(text: string): number | null {
  const written = text.trim()
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(written)) return null
  const instant = Date.parse(written)
  return isPostTime(instant) ? instant : null
}

function authorOf(name: string): string {
  const plain = cleanText(name, LONGEST_NAME).replace(/^\/?u\//, '')
  return plain === '' ? UNKNOWN_AUTHOR : plain
}
