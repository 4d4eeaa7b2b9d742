import { channelKey } from '../contract/platform.ts'
import { snippetOf } from '../lib/snippet.ts'
import type { Post } from '../sources/post.ts'
import { isImageLink } from './image-link.ts'
import { searchText } from '../db/search-text.ts'

/** What a crawl may change of a record that is there already. */
export interface ChangingColumns {
  title: string
  body: string
  text: string
  snippet: string
  permalink: string
  url: string | null
  has_link: number
  has_image: number
  /** Null leaves what is known: feeds do not tell. */
  score: number | null
  num_comments: number | null
  author: string
}

export function changingColumns(post: Post): ChangingColumns {
  return {
    title: post.title,
    body: post.body,
    text: searchText(post.title, post.body),
    snippet: snippetOf(post.body || post.title),
    permalink: post.permalink,
    url: post.url,
    has_link: post.url === null ? 0 : 1,
    has_image: isImageLink(post.url) ? 1 : 0,
    score: post.score,
    num_comments: post.numComments,
    author: post.author,
  }
}

export interface FixedColumns {
  platform: string
  forum_id: string
  subforum: string
  channel: string
  created_at: number
}

export function fixedColumns(post: Post): FixedColumns {
  return {
    platform: post.platform,
    forum_id: post.forumId,
    subforum: post.subforum,
    channel: channelKey(post.subforum),
    created_at: post.createdAt,
  }
}
