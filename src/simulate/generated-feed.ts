// A world that goes on by itself: a past to begin with, new posts at a rate, and some that vanish.

import type { Clock } from '../lib/clock.ts'
import { days, minutes, seconds } from '../lib/duration.ts'
import { generatedComment, generatedPost, type Spot } from './generator.ts'
import type { WorldPost } from './post.ts'
import { between, pick, type Random } from './random.ts'
import { addPost } from './stage.ts'
import type { World } from './world.ts'

export interface GeneratedFeedOptions {
  world: World
  random: Random
  clock: Clock
  worldClock: Clock
  /** Of the forum. */
  channels: readonly string[]
  /** The share of posts that are removed some time after they appeared. */
  removals: number
}

interface Vanishing {
  post: WorldPost
  at: number
}

const SECTIONS = ['new', 'ask', 'show', 'job'] as const
const HISTORY_MS = days(1)
const COMMENTED = 0.2

export class GeneratedFeed {
  readonly #options: GeneratedFeedOptions
  readonly #spots: [Spot, ...Spot[]]
  #vanishing: Vanishing[] = []

  constructor(options: GeneratedFeedOptions) {
    this.#options = options
    const forum = options.channels.map((subforum): Spot => ({ platform: 'forum', subforum }))
    const [first, ...rest] = SECTIONS.map((subforum): Spot => ({ platform: 'newsboard', subforum }))
    this.#spots = [first ?? { platform: 'newsboard', subforum: 'new' }, ...rest, ...forum]
  }

  /** So many posts in every channel, over the day before the world began. */
  addHistory(postsPerChannel: number): void {
    const { random, worldClock } = this.#options
    const endsAt = worldClock()
    const moments = this.#spots.flatMap((spot) =>
      Array.from({ length: postsPerChannel }, () => ({ spot, at: endsAt - random() * HISTORY_MS })),
    )
    for (const { spot, at } of moments.sort((first, second) => first.at - second.at)) {
      this.#add(spot, Math.floor(at))
    }
  }

  /** One new post somewhere, now. */
  addNext(): void {
    this.#add(pick(this.#options.random, this.#spots), this.#options.worldClock())
  }

  /** Takes away what is due to vanish. */
  removeDue(): void {
    const { world, clock, worldClock } = this.#options
    const now = worldClock()
    const due = this.#vanishing.filter(({ at }) => at <= now)
    if (due.length === 0) return

    this.#vanishing = this.#vanishing.filter(({ at }) => at > now)
    for (const { post } of due) {
      world.remove(post, post.score % 2 === 0 ? 'deleted' : 'moderator', clock())
    }
  }

  #add(spot: Spot, at: number): void {
    const { random, removals, worldClock } = this.#options
    const post = addPost({ ...this.#options, worldClock: () => at }, generatedPost(spot, random))
    if (post === null) return
    post.grows = true
    if (random() < removals) {
      // From now on, also for posts of the past: what nobody could ever see was never there.
      const delayMs = between(random, seconds(30), minutes(30))
      this.#vanishing.push({ post, at: worldClock() + delayMs })
    }
    if (spot.platform === 'newsboard' && random() < COMMENTED) this.#comment(post, at)
  }

  #comment({ forumId }: WorldPost, at: number): void {
    const comment = generatedComment(forumId, this.#options.random)
    addPost({ ...this.#options, worldClock: () => at }, comment)
  }
}
