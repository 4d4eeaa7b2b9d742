import type { Command } from 'commander'
import { Beginning } from '../contract/day-or-instant.ts'
import { presentRun } from '../ingest/present-run.ts'
import { backfillWatcher } from '../jobs/backfill-watcher.ts'
import { isoTime } from '../lib/iso-time.ts'
import { withApp } from './command.ts'
import { parseOption } from './failure.ts'
import { findWatcher } from './find-watcher.ts'
import { ProgressLine } from './progress.ts'
import { runsTable } from './runs-table.ts'
import { stopSignal } from './stop-signal.ts'

export function addBackfill(program: Command): void {
  program
    .command('backfill')
    .argument('<watcher>', 'the watcher whose channels to read')
    .description('fetch older posts of a watcher’s channels, as far back as the platforms tell')
    .requiredOption('--since <date>', 'ISO 8601 date or timestamp')
    .action(
      withApp<{ since: string }>(async (app, { since }, [id = '']) => {
        const sinceAt = parseOption('--since', Beginning, since)
        const key = await findWatcher(app, id)
        using stopping = stopSignal()
        using line = new ProgressLine()
        const runs = await backfillWatcher(app, {
          key,
          sinceAt,
          signal: stopping.signal,
          onProgress: ({ channel, posts, reachedAt, share }) =>
            line.show(share, `${channel}: ${posts} posts, back to ${isoTime(reachedAt)}`),
        })
        const items = runs.map(presentRun)
        return { report: { items }, text: runsTable(items) }
      }),
    )
}
