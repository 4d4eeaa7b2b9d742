import { channelKey } from '../contract/platform.ts'
import type { Post } from '../sources/post.ts'
import { isImageLink } from './image-link.ts'
import { searchText } from './search-text.ts'

/** What a crawl may change of a record that is there already. */
export interface ChangingColumns {
  title: string
  body: string
  text: string
  permalink: string
  url: string | null
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
    permalink: post.permalink,
    url: post.url,
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
