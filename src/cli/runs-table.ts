import type { CrawlRun } from '../contract/crawl-run.ts'
import { columns } from './output.ts'

const HEAD = [
  'STARTED',
  'WATCHER',
  'CHANNEL',
  'STATUS',
  'FETCHED',
  'NEW',
  'MATCHED',
  'TAGGED',
  'MS',
]

const NONE =
  'There are no runs yet. A running service makes them; `earshot watchers run ID` makes one now.'

export function runsTable(runs: readonly CrawlRun[]): string {
  if (runs.length === 0) return NONE
  const rows = runs.map((run) => [
    run.startedAt,
    run.watcherName,
    `${run.platform}/${run.subforum}`,
    run.error === null ? run.status : `${run.status}: ${run.error}`,
    ...[run.postsFetched, run.newPosts, run.matched, run.tagged, run.durationMs].map(String),
  ])
  return columns([HEAD, ...rows])
}
