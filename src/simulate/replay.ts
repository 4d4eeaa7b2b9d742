import type { NewPost } from './post.ts'

/** Replays posts in the order they were written: at a rate, or in the rhythm they came in. */
export class Replay {
  readonly #posts: readonly NewPost[]
  readonly #firstAt: number
  #next = 0

  constructor(posts: readonly NewPost[]) {
    this.#posts = posts
      .map((post) => ({ post, at: writtenAt(post) }))
      .sort((first, second) => first.at - second.at)
      .map(({ post }) => post)
    this.#firstAt = writtenAt(this.#posts[0])
  }

  /** The next so many, as if they were written now. */
  take(count: number): NewPost[] {
    const taken = this.#posts.slice(this.#next, this.#next + count)
    this.#next += taken.length
    return taken.map((post) => asWrittenNow(post))
  }

  /** Those that were written within so long after the first of them. */
  takeUntil(elapsedMs: number): NewPost[] {
    let count = 0
    while (this.#isDue(this.#posts[this.#next + count], elapsedMs)) count += 1
    return this.take(count)
  }

  #isDue(post: NewPost | undefined, elapsedMs: number): boolean {
    return post !== undefined && writtenAt(post) - this.#firstAt <= elapsedMs
  }
}

function asWrittenNow(post: NewPost): NewPost {
  const { forumCreatedAt: _, ...rest } = post
  return rest
}

function writtenAt(post: NewPost | undefined): number {
  const instant = Date.parse(post?.forumCreatedAt ?? '')
  return Number.isNaN(instant) ? 0 : instant
}
