import { seconds } from '../../lib/duration.ts'
import { webAddress } from '../../lib/web-address.ts'
import { isPostTime, type Post } from '../post.ts'
import { cleanText } from '../text/clean.ts'
import { markdownToText } from '../text/markdown-to-text.ts'
import { permalinkOf } from './permalink.ts'
import type { Submission } from './schema.ts'

/** A post as a listing shows it. One that was removed is no post, but still a place in the listing. */
export interface Seen {
  id: string
  createdAt: number
  post: Post | null
}

export const LONGEST_TITLE = 500
export const LONGEST_NAME = 100
export const UNKNOWN_AUTHOR = '[deleted]'

/** Where a post was found: what it does not say of itself comes from there. */
export interface Place {
  webUrl: string
  channel: string
}

/** Null for what lacks an id, a title or a date: nothing of that is made up. */
export function seenOf(submission: Submission, place: Place): Seen | null {
  const { id, created_utc: createdSeconds } = submission
  const title = cleanText(submission.title ?? '', LONGEST_TITLE)
  const createdAt = Math.round(seconds(createdSeconds ?? 0))
  if (!id || title === '' || !isPostTime(createdAt)) return null
  const post = isRemoved(submission) ? null : postOf(submission, { id, title, createdAt }, place)
  return { id, createdAt, post }
}

export function isRemoved({ removed_by_category, author, selftext }: Submission): boolean {
  if (removed_by_category !== null && removed_by_category !== undefined) return true
  const isOrphan = author === null || author === UNKNOWN_AUTHOR
  return isOrphan && (selftext === '[removed]' || selftext === '[deleted]')
}

function postOf(
  submission: Submission,
  known: { id: string; title: string; createdAt: number },
  { webUrl, channel }: Place,
): Post {
  const permalink = permalinkOf(submission.permalink, known.id, webUrl)
  return {
    platform: 'forum',
    forumId: known.id,
    subforum: cleanText(submission.subreddit ?? channel, LONGEST_NAME),
    title: known.title,
    body: markdownToText(submission.selftext ?? ''),
    permalink,
    url: submission.is_self === true ? null : linkOf(submission.url, permalink),
    score: submission.score,
    numComments: submission.num_comments,
    createdAt: known.createdAt,
    author: cleanText(submission.author ?? '', LONGEST_NAME) || UNKNOWN_AUTHOR,
  }
}

/** Null when it is the post itself, or nothing that can be visited. */
export function linkOf(url: string | null, permalink: string): string | null {
  const address = webAddress(url)
  if (address === null) return null
  return new URL(address).pathname === new URL(permalink).pathname ? null : address
}
