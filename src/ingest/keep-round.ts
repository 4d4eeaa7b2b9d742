import type { EngineName, Trx } from '../db/database.ts'
import type { Platform } from '../contract/platform.ts'
import type { Post } from '../sources/post.ts'
import { keepPosts } from './keep-posts.ts'
import type { PostMatch } from './kept-post.ts'
import { keepRuns } from './keep-runs.ts'
import { newRun, tallyOf } from './new-run.ts'
import type { Run } from './run-store.ts'

interface WatcherOfRound {
  id: string
  name: string
  /** The channel's name as this watcher wrote it. */
  subforum: string
}

/** One fetch of one channel, for the watchers of one organization. */
export interface Round {
  organizationId: string
  platform: Platform
  channel: string
  watchers: readonly WatcherOfRound[]
  posts: readonly Post[]
  matchesOf(post: Post): readonly PostMatch[]
  /** Why nothing could be fetched, in plain words. */
  error: string | null
  startedAt: number
  now: number
}

/** Records, matches, tags, runs and events of a round: in one transaction, or not at all. */
export async function keepRound(trx: Trx, engine: EngineName, round: Round): Promise<void> {
  const { organizationId, posts, channel, now } = round
  // Asked for once: each answer is needed for its record, and again for the runs.
  const found = new Map(posts.map((post) => [post, round.matchesOf(post)]))
  const matchesOf = (post: Post) => found.get(post) ?? []
  const terms = { organizationId, posts, channel, matchesOf, now, live: true }
  const { added } = await keepPosts(trx, engine, terms)
  const byWatcher = Map.groupBy([...found.values()].flat(), ({ watcherId }) => watcherId)
  const runs = round.watchers.map((watcher) => ({
    ...runOf(round, watcher),
    ...tallyOf(byWatcher.get(watcher.id) ?? []),
    newPosts: added,
  }))
  await keepRuns(trx, runs, now)
}

function runOf(round: Round, { id, name, subforum }: WatcherOfRound): Run {
  const { organizationId, platform, startedAt, now } = round
  const facts = { organizationId, watcherId: id, watcherName: name, platform, subforum, startedAt }
  return {
    ...newRun(facts, now),
    status: round.error === null ? 'ok' : 'error',
    postsFetched: round.posts.length,
    error: round.error,
    durationMs: now - startedAt,
  }
}
