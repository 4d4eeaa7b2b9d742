// The forum's API, as JSON: the fields of a post that clients read, under their names.

import { createHash } from 'node:crypto'
import { figuresAt } from './growth.ts'
import type { Page } from './listing.ts'
import type { WorldPost } from './post.ts'
import { escapeMarkup, forumHtml } from './text.ts'

/** When, and on which site, a post is looked at. */
export interface View {
  now: number
  siteUrl: string
}

interface Thing {
  kind: 't3'
  data: Record<string, unknown>
}

export function listing({ posts, after, before }: Page, view: View) {
  const children = posts.map((post) => thing(post, view))
  return {
    kind: 'Listing',
    data: { after, dist: children.length, modhash: null, geo_filter: '', children, before },
  }
}

export function thing(post: WorldPost, { now, siteUrl }: View): Thing {
  const { forumId, subforum, author, title, createdAt } = post
  const { score, numComments } = figuresAt(post, now)
  const createdSeconds = Math.floor(createdAt / 1_000)
  return {
    kind: 't3',
    data: {
      ...MATTERS_LITTLE,
      id: forumId,
      name: `t3_${forumId}`,
      subreddit: subforum,
      subreddit_id: `t5_${shortHash(subforum)}`,
      subreddit_name_prefixed: `r/${subforum}`,
      author,
      author_fullname: `t2_${shortHash(author)}`,
      title,
      permalink: permalinkOf(post),
      score,
      ups: score,
      num_comments: numComments,
      created: createdSeconds,
      created_utc: createdSeconds,
      removed_by_category: null,
      ...(post.url === null ? selfPart(post, siteUrl) : linkPart(post.url)),
      ...(post.removal === null ? {} : goneParts(post)),
    },
  }
}

/** Without `raw_json=1` the platform escapes every string of its answer, addresses too. */
export function asJson(answer: unknown, isRaw: boolean): string {
  if (isRaw) return JSON.stringify(answer)
  return JSON.stringify(answer, (_, value) =>
    typeof value === 'string' ? escapeMarkup(value) : value,
  )
}

export function permalinkOf({ forumId, subforum, title }: WorldPost): string {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu)
  const slug = words?.join('_').slice(0, 50).replace(/_$/, '') ?? '_'
  return `/r/${subforum}/comments/${forumId}/${slug}/`
}

const MATTERS_LITTLE = {
  archived: false,
  distinguished: null,
  downs: 0,
  edited: false,
  hidden: false,
  is_original_content: false,
  is_robot_indexable: true,
  is_video: false,
  link_flair_text: null,
  locked: false,
  media: null,
  num_crossposts: 0,
  over_18: false,
  pinned: false,
  quarantine: false,
  removed_by: null,
  spoiler: false,
  stickied: false,
  subreddit_type: 'public',
  upvote_ratio: 0.97,
}

function selfPart(post: WorldPost, siteUrl: string) {
  return {
    is_self: true,
    domain: `self.${post.subforum}`,
    url: `${siteUrl}${permalinkOf(post)}`,
    selftext: post.body,
    selftext_html: htmlOf(post),
    thumbnail: 'self',
  }
}

function linkPart(url: string) {
  return {
    is_self: false,
    domain: URL.parse(url)?.hostname ?? '',
    url,
    url_overridden_by_dest: url,
    selftext: '',
    selftext_html: null,
    thumbnail: 'default',
  }
}

/** The title of a post that its author deleted goes too; of one that was removed it stays. */
function goneParts({ removal, title }: WorldPost) {
  return {
    author: '[deleted]',
    author_fullname: undefined,
    title: removal === 'deleted' ? '[deleted by user]' : title,
    selftext: '[removed]',
    selftext_html: forumHtml('[removed]'),
    removed_by_category: removal,
    is_robot_indexable: false,
  }
}

/** Rendered once: a listing shows the same hundred posts again and again. */
const rendered = new WeakMap<WorldPost, string>()

export function htmlOf(post: WorldPost): string | null {
  if (post.body === '') return null
  const html = rendered.get(post) ?? forumHtml(post.body)
  rendered.set(post, html)
  return html
}

function shortHash(text: string): string {
  return parseInt(createHash('sha1').update(text).digest('hex').slice(0, 8), 16).toString(36)
}
