// What exists on both platforms: every post with what became of it. Only in memory and bounded, so
// that a demonstration may run for weeks.

import { channelKey, type Platform } from '../contract/platform.ts'
import type { Figures } from './growth.ts'
import { Ledger } from './ledger.ts'
import type { Removal, WorldPost } from './post.ts'

/** Who may read a channel: everybody, invited people, or nobody any more. */
export const CHANNEL_ACCESS = ['public', 'private', 'banned'] as const
type ChannelAccess = (typeof CHANNEL_ACCESS)[number]

export interface Channel {
  /** As its platform writes it. */
  name: string
  /** Oldest first. */
  posts: WorldPost[]
  changedAt: number
  access: ChannelAccess
}

export interface WorldOptions {
  startedAt: number
  mostPosts?: number
}

const MOST_POSTS = 100_000
const CHANGES_KEPT = 100
const IDS_SINCE = Date.UTC(2025, 0, 1)

export class World {
  readonly everVisible = new Ledger()
  readonly #posts = new Map<string, WorldPost>()
  readonly #forum = new Map<string, Channel>()
  readonly #newsboard: Channel
  readonly #mostPosts: number
  readonly #changedItems: WorldPost[] = []
  #lastId: number

  constructor({ startedAt, mostPosts = MOST_POSTS }: WorldOptions) {
    this.#mostPosts = mostPosts
    this.#newsboard = emptyChannel('newsboard', startedAt)
    // Ids grow by fifty a second between starts, so that a service which has seen an earlier world
    // does not take the posts of this one for the same.
    this.#lastId = Math.floor(Math.max(0, startedAt - IDS_SINCE) / 20)
  }

  get size(): number {
    return this.#posts.size
  }

  /** The highest number of any newsboard item so far. */
  get lastId(): number {
    return this.#lastId
  }

  nextId(platform: Platform): string {
    this.#lastId += 1
    return platform === 'forum' ? this.#lastId.toString(36) : String(this.#lastId)
  }

  get(platform: Platform, forumId: string): WorldPost | undefined {
    return this.#posts.get(keyOf(platform, forumId))
  }

  /** Makes a channel known that has no posts yet. */
  openChannel(name: string, now: number): Channel {
    const key = channelKey(name)
    const channel = this.#forum.get(key) ?? emptyChannel(name, now)
    this.#forum.set(key, channel)
    return channel
  }

  forumChannel(name: string): Channel | undefined {
    return this.#forum.get(channelKey(name))
  }

  /** Every story, job and poll. Its lists are made of these. */
  get newsboard(): Channel {
    return this.#newsboard
  }

  /** Newsboard items that were added or changed, the last one first. */
  get changedItems(): readonly WorldPost[] {
    return this.#changedItems
  }

  /** False when there is a post of this id already. */
  add(post: WorldPost, now: number): boolean {
    const key = keyOf(post.platform, post.forumId)
    if (this.#posts.has(key)) return false

    this.#posts.set(key, post)
    if (post.platform === 'newsboard') this.#lastId = Math.max(this.#lastId, Number(post.forumId))
    if (post.kind === 'comment') this.get('newsboard', post.parent ?? '')?.kids.push(post.forumId)
    else this.#publish(post, now)
    this.#touch(post, now)
    this.#dropOldest()
    return true
  }

  remove(post: WorldPost, removal: Removal, now: number): void {
    post.removal = removal
    this.#touch(post, now)
  }

  /** What is set here no longer grows by itself. */
  setFigures(post: WorldPost, { score, numComments }: Figures): void {
    Object.assign(post, { score, numComments, grows: false })
    if (post.platform === 'newsboard') this.#noteChange(post)
  }

  #publish(post: WorldPost, now: number): void {
    insert(this.#channelOf(post, now).posts, post)
    this.everVisible.note(post)
  }

  #channelOf(post: WorldPost, now: number): Channel {
    return post.platform === 'forum' ? this.openChannel(post.subforum, now) : this.#newsboard
  }

  #touch(post: WorldPost, now: number): void {
    this.#channelOf(post, now).changedAt = now
    if (post.platform === 'newsboard') this.#noteChange(post)
  }

  #noteChange(post: WorldPost): void {
    this.#changedItems.unshift(post)
    this.#changedItems.length = Math.min(this.#changedItems.length, CHANGES_KEPT)
  }

  #dropOldest(): void {
    if (this.#posts.size <= this.#mostPosts) return
    for (const [key, post] of this.#posts) {
      this.#posts.delete(key)
      const { posts } = this.#channelOf(post, post.createdAt)
      const position = posts.indexOf(post)
      if (position !== -1) posts.splice(position, 1)
      return
    }
  }
}

export function emptyChannel(name: string, now: number): Channel {
  return { name, posts: [], changedAt: now, access: 'public' }
}

function keyOf(platform: Platform, forumId: string): string {
  return `${platform}/${forumId}`
}

/** Nearly always at the end: only a file or a test brings posts out of order. */
function insert(posts: WorldPost[], post: WorldPost): void {
  let [low, high] = [0, posts.length]
  if ((posts.at(-1)?.createdAt ?? -Infinity) <= post.createdAt) low = high
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((posts[middle]?.createdAt ?? Infinity) <= post.createdAt) low = middle + 1
    else high = middle
  }
  posts.splice(low, 0, post)
}

/** The newest that are still there and wanted, newest first, without walking further than needed. */
export function newest(
  posts: readonly WorldPost[],
  limit: number,
  isWanted: (post: WorldPost) => boolean = () => true,
): WorldPost[] {
  const found: WorldPost[] = []
  for (let index = posts.length - 1; index >= 0 && found.length < limit; index -= 1) {
    const post = posts[index]
    if (post !== undefined && post.removal === null && isWanted(post)) found.push(post)
  }
  return found
}
