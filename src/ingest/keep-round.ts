import type { EngineName, Trx } from '../db/database.ts'
import { newId } from '../lib/id.ts'
import type { Platform } from '../contract/platform.ts'
import type { Post } from '../sources/post.ts'
import { keepPosts } from './keep-posts.ts'
import type { PostMatch } from './kept-post.ts'
import { keepRuns } from './keep-runs.ts'
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
export async function keepRound(trx: Trx, engine: EngineName, round: Round): Promise<Run[]> {
  const { organizationId, posts, matchesOf, now } = round
  const { added } = await keepPosts(trx, engine, {
    organizationId,
    posts,
    channel: round.channel,
    matchesOf,
    now,
    live: true,
  })
  const runs = round.watchers.map((watcher) => runOf(round, watcher, added))
  await keepRuns(trx, runs, now)
  return runs
}

function runOf(round: Round, watcher: WatcherOfRound, added: number): Run {
  const matches = round.posts
    .flatMap((post) => round.matchesOf(post))
    .filter(({ watcherId }) => watcherId === watcher.id)
  return {
    organizationId: round.organizationId,
    id: newId('run', round.now),
    watcherId: watcher.id,
    watcherName: watcher.name,
    platform: round.platform,
    subforum: watcher.subforum,
    status: round.error === null ? 'ok' : 'error',
    postsFetched: round.posts.length,
    matched: matches.length,
    tagged: matches.filter(({ tags }) => tags.length > 0).length,
    newPosts: added,
    error: round.error,
    durationMs: round.now - round.startedAt,
    startedAt: round.startedAt,
  }
}
