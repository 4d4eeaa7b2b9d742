import type { z } from 'zod'
import { PostLine } from '../contract/post-line.ts'
import { parsedJson } from '../lib/json.ts'
import { isPostTime, type Post } from '../sources/post.ts'
import { cleanText, cut, LONGEST_TEXT, tidyLines } from '../sources/text/clean.ts'

const TITLE_MAX = 1_000
const AUTHOR_MAX = 200

export type ReadLine =
  | { kind: 'post'; post: Post }
  | { kind: 'bad'; reason: string }
  | { kind: 'blank' }

/** A line of an import as a post, or why it is none. Null is a line too long to be kept. */
export function readPostLine(line: string | null): ReadLine {
  if (line === null) return bad('it is too long')
  if (line.trim() === '') return { kind: 'blank' }
  const parsed = PostLine.safeParse(parsedJson(line))
  return parsed.success ? checked(postOf(parsed.data)) : bad(mistakeIn(parsed.error))
}

function mistakeIn({ issues: [issue] }: z.ZodError): string {
  const field = issue?.path.join('.') ?? ''
  return field === '' ? 'it is no JSON object' : `${field}: ${issue?.message}`
}

/** What cleaning may have left empty, and what no key can tell. */
function checked(post: Post): ReadLine {
  if (post.title === '') return bad('title: it is empty')
  if (post.forumId === '' || post.subforum === '') return bad('forumId or subforum: it is empty')
  if (!isPostTime(post.createdAt)) return bad('forumCreatedAt: must be from 1970 to 2088')
  return { kind: 'post', post }
}

function postOf(line: PostLine): Post {
  return {
    platform: line.platform,
    forumId: cleanText(line.forumId, line.forumId.length),
    subforum: cleanText(line.subforum, line.subforum.length).replace(/^\/?r\//i, ''),
    title: cleanText(line.title, TITLE_MAX),
    body: tidyLines(cut(line.body, LONGEST_TEXT)),
    permalink: line.permalink,
    url: line.url,
    score: line.score,
    numComments: line.numComments,
    createdAt: line.forumCreatedAt,
    author: cleanText(line.author, AUTHOR_MAX) || 'unknown',
  }
}

function bad(reason: string): ReadLine {
  return { kind: 'bad', reason }
}
