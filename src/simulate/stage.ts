import type { Clock } from '../lib/clock.ts'
import type { RateLimiter } from '../lib/rate-limiter.ts'
import type { Faults } from './faults.ts'
import type { Meter } from './meter.ts'
import { NewPost, worldPost, type WorldPost } from './post.ts'
import type { Random } from './random.ts'
import type { Tokens } from './tokens.ts'
import type { World } from './world.ts'

/** What every route works with. */
export interface Stage {
  world: World
  meter: Meter
  tokens: Tokens
  budget: RateLimiter
  faults: Faults
  random: Random
  /** Real time: of tokens, budgets and caches. */
  clock: Clock
  /** The world's time, which may run faster. */
  worldClock: Clock
  /** Where the forum's own links lead: known once the server listens. */
  siteUrl: string
  /** Whether a forum channel that nobody has posted in is an empty one rather than unknown. */
  everyChannelExists: boolean
}

/** Null when there is a post of this id already. */
export function addPost(
  { world, clock, worldClock }: Pick<Stage, 'world' | 'clock' | 'worldClock'>,
  given: NewPost,
): WorldPost | null {
  const parsed = NewPost.parse(given)
  const forumId = parsed.forumId ?? world.nextId(parsed.platform)
  const post = worldPost(parsed, { forumId, createdAt: worldClock() })
  return world.add(post, clock()) ? post : null
}
