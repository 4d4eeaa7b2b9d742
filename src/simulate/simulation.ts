// Simulate owns a world of posts and a server that speaks both platforms' wire shapes for it, so
// that tests, demonstrations and measurements need no internet. It knows nothing of the service.

import { systemClock, type Clock } from '../lib/clock.ts'
import { minutes } from '../lib/duration.ts'
import { RateLimiter, type RateLimit } from '../lib/rate-limiter.ts'
import { Faults } from './faults.ts'
import { startFeeding, type FeedOptions } from './feeding.ts'
import { Meter } from './meter.ts'
import { worldClock } from './pace.ts'
import type { NewPost } from './post.ts'
import { seededRandom } from './random.ts'
import { startServer } from './server.ts'
import { addPost, type Stage } from './stage.ts'
import { Tokens, type TokenOptions } from './tokens.ts'
import { World } from './world.ts'

export interface SimulationOptions extends Partial<FeedOptions> {
  /** 0 takes any free one. */
  port?: number
  posts?: readonly NewPost[]
  faults?: Partial<Faults>
  /** How often a client may ask the forum's API. */
  budget?: RateLimit
  tokens?: TokenOptions
  everyChannelExists?: boolean
  mostPosts?: number
  clock?: Clock
}

export interface Simulation extends AsyncDisposable {
  url: string
  port: number
  world: World
  meter: Meter
  /** Lines of the file that were no posts, or posts that were there already. */
  skippedLines: number
  /** Null when there is a post of this id already. */
  add(post: NewPost): string | null
}

/** What the platform allows: a hundred a minute, counted over ten. */
const USUAL_BUDGET = { limit: 1_000, windowMs: minutes(10) }

/** By itself the world is empty and stays so: only what is given or asked for is in it. */
export async function startSimulation(options: SimulationOptions = {}): Promise<Simulation> {
  const stage = makeStage(options)
  for (const post of options.posts ?? []) addPost(stage, post)
  const feeding = await startFeeding(stage, options)
  try {
    const server = await startServer(stage, options.port ?? 0)
    return {
      url: server.url,
      port: server.port,
      world: stage.world,
      meter: stage.meter,
      skippedLines: feeding.skippedLines,
      add: (post) => addPost(stage, post)?.forumId ?? null,
      async [Symbol.asyncDispose]() {
        feeding.stop()
        await server[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    feeding.stop()
    throw error
  }
}

function makeStage(options: SimulationOptions): Stage {
  const { clock = systemClock, speed, seed = 1, mostPosts, budget = USUAL_BUDGET } = options
  const startedAt = clock()
  return {
    world: new World({ startedAt, ...(mostPosts === undefined ? {} : { mostPosts }) }),
    meter: new Meter(),
    tokens: new Tokens(options.tokens ?? {}),
    budget: new RateLimiter(budget),
    faults: Faults.parse(options.faults ?? {}),
    // Not the world's own: how often one asks must not change what there is.
    random: seededRandom(seed + 1),
    clock,
    worldClock: worldClock(clock, speed),
    siteUrl: '',
    everyChannelExists: options.everyChannelExists ?? false,
  }
}
