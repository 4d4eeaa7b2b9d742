import { GeneratedFeed } from './generated-feed.ts'
import { pacer } from './pace.ts'
import type { NewPost } from './post.ts'
import { postsOf } from './post-file.ts'
import { seededRandom } from './random.ts'
import { Replay } from './replay.ts'
import { addPost, type Stage } from './stage.ts'

export interface FeedOptions {
  seed: number
  /** Of the forum: those that exist, and that generated posts are spread over. */
  channels: readonly string[]
  historyPerChannel: number
  /** New posts per minute of real time; 0 for none. */
  ratePerMinute: number
  /** How much faster than real time the world's runs, starting a day ago. */
  speed: number | undefined
  /** The share of generated posts that are removed later. */
  removals: number
  file: PostFile
}

interface PostFile {
  path: string
  /** All of it is there from the start, with its own times. */
  all?: boolean
  /** In the rhythm of its own times, rather than at the rate. */
  inRhythm?: boolean
}

export interface Feeding {
  skippedLines: number
  stop(): void
}

const TICK_MS = 100

export async function startFeeding(stage: Stage, options: Partial<FeedOptions>): Promise<Feeding> {
  for (const name of options.channels ?? []) stage.world.openChannel(name, stage.clock())
  const { file } = options
  if (file === undefined) return { skippedLines: 0, stop: startGenerating(stage, options) }

  const tally = { skipped: 0 }
  const posts = postsOf(file.path, () => (tally.skipped += 1))
  if (file.all === true) {
    for await (const post of posts) if (addPost(stage, post) === null) tally.skipped += 1
    return { skippedLines: tally.skipped, stop: () => {} }
  }
  const stop = startReplaying(stage, await Array.fromAsync(posts), options)
  return { skippedLines: tally.skipped, stop }
}

function startGenerating(stage: Stage, options: Partial<FeedOptions>): () => void {
  const {
    channels = [],
    historyPerChannel = 0,
    ratePerMinute = 0,
    removals = 0,
    seed = 1,
  } = options
  const feed = new GeneratedFeed({ ...stage, channels, removals, random: seededRandom(seed) })
  feed.addHistory(historyPerChannel)
  const due = pacer(ratePerMinute, stage.clock())
  return everyTick(() => {
    for (let count = due(stage.clock()); count > 0; count -= 1) feed.addNext()
    feed.removeDue()
  })
}

function startReplaying(
  stage: Stage,
  posts: readonly NewPost[],
  { file, ratePerMinute = 0, speed = 1 }: Partial<FeedOptions>,
): () => void {
  const replay = new Replay(posts)
  const startedAt = stage.clock()
  const due = pacer(ratePerMinute, startedAt)
  const takeNext = (now: number): NewPost[] =>
    file?.inRhythm === true ? replay.takeUntil((now - startedAt) * speed) : replay.take(due(now))
  return everyTick(() => {
    for (const post of takeNext(stage.clock())) addPost(stage, post)
  })
}

function everyTick(act: () => void): () => void {
  const timer = setInterval(act, TICK_MS)
  return () => clearInterval(timer)
}
