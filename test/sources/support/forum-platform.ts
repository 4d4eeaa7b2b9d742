// A forum platform of a few lines: one channel, tokens, and both ways to understand `before`.

import type { Asked, Reply, Script } from './scripted-server.ts'
import { json } from './scripted-server.ts'

export type RawPost = Record<string, unknown> & { id: string; created_utc: number }

export const FIRST_SECONDS = 1_700_000_000

export class ForumPlatform {
  /** Newest first. */
  posts: RawPost[] = []
  /** What `before` answers when more than a page is above: the nearest posts, or the newest. */
  before: 'nearest' | 'newest' = 'nearest'
  /** How deep the listing goes. */
  depth = 1_000
  tokensGiven = 0
  validToken = ''
  #next = 0

  /** Adds so many new posts and returns their ids, oldest first. */
  add(count: number, fields: Record<string, unknown> = {}): string[] {
    const added = Array.from({ length: count }, () => aPost((this.#next += 1), fields))
    this.posts.unshift(...added.toReversed())
    return added.map(({ id }) => id)
  }

  delete(id: string): void {
    this.posts = this.posts.filter((post) => post.id !== id)
  }

  readonly script: Script = (asked) => {
    if (asked.path.endsWith('/api/v1/access_token')) return this.#token()
    if (asked.headers.authorization !== `Bearer ${this.validToken}`) return { status: 401 }
    if (asked.path.endsWith('/api/info')) return this.#info(asked)
    return json(listing(this.#page(asked), this.#after(asked)))
  }

  #token(): Reply {
    this.tokensGiven += 1
    this.validToken = `token-${this.tokensGiven}`
    return json({ access_token: this.validToken, token_type: 'bearer', expires_in: 3_600 })
  }

  #info({ query }: Asked): Reply {
    const names = new Set(query.get('id')?.split(','))
    return json(listing(this.posts.filter(({ id }) => names.has(`t3_${id}`))))
  }

  #page({ query }: Asked): RawPost[] {
    const limit = Number(query.get('limit'))
    const posts = this.posts.slice(0, this.depth)
    const place = (name: string | null) => posts.findIndex(({ id }) => `t3_${id}` === name)
    if (query.has('before')) {
      const above = posts.slice(0, Math.max(0, place(query.get('before'))))
      return this.before === 'newest' ? above.slice(0, limit) : above.slice(-limit)
    }
    const start = place(query.get('after')) + 1
    return posts.slice(start, start + limit)
  }

  #after(asked: Asked): string | null {
    const last = this.#page(asked).at(-1)
    const isEnd = last === undefined || this.posts.slice(0, this.depth).at(-1) === last
    return isEnd || asked.query.has('before') ? null : `t3_${last.id}`
  }
}

export function aPost(number: number, fields: Record<string, unknown> = {}): RawPost {
  const id = number.toString(36).padStart(4, '0')
  return {
    id,
    title: `Post ${number}`,
    created_utc: FIRST_SECONDS + number,
    subreddit: 'Testing',
    author: 'somebody',
    selftext: 'A *text*.',
    permalink: `/r/Testing/comments/${id}/post/`,
    url: `https://example.com/${id}`,
    is_self: false,
    score: number,
    num_comments: 1,
    removed_by_category: null,
    ...fields,
  }
}

function listing(posts: readonly unknown[], after: string | null = null): unknown {
  const children = posts.map((data) => ({ kind: 't3', data }))
  return { kind: 'Listing', data: { after, before: null, children } }
}
