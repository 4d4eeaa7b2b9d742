import type { Command } from 'commander'
import { presentRun } from '../ingest/present-run.ts'
import { runWatcherNow } from '../jobs/run-watcher.ts'
import { withApp } from './command.ts'
import { findWatcher } from './find-watcher.ts'
import { runsTable } from './runs-table.ts'
import { stopSignal } from './stop-signal.ts'

export function addWatchersRun(watchers: Command): void {
  watchers
    .command('run')
    .argument('<id>', 'the watcher')
    .description('fetch its channels now, wait, and print the runs')
    .action(
      withApp(async (app, _options, [id = '']) => {
        using stopping = stopSignal()
        const runs = await runWatcherNow(app, await findWatcher(app, id), stopping.signal)
        const items = runs.map(presentRun)
        return { report: { items }, text: runsTable(items) }
      }),
    )
}
