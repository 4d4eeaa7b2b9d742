import { newId } from '../lib/id.ts'
import type { PostMatch } from './kept-post.ts'
import type { Run } from './run-store.ts'

type RunFacts = Pick<
  Run,
  'organizationId' | 'watcherId' | 'watcherName' | 'platform' | 'subforum' | 'startedAt'
>

/** A run that has brought nothing yet. */
export function newRun(facts: RunFacts, now: number): Run {
  return {
    id: newId('run', now),
    ...facts,
    status: 'ok',
    postsFetched: 0,
    matched: 0,
    tagged: 0,
    newPosts: 0,
    error: null,
    durationMs: 0,
  }
}

/** How many posts a watcher's matches are, and how many of them a rule gave a tag. */
export function tallyOf(matches: readonly PostMatch[]): Pick<Run, 'matched' | 'tagged'> {
  return {
    matched: matches.length,
    tagged: matches.filter(({ tags }) => tags.length > 0).length,
  }
}
