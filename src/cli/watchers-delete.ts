import type { Command } from 'commander'
import { removeWatcher } from '../watchers/remove-watcher.ts'
import { withApp } from './command.ts'
import { findWatcher } from './find-watcher.ts'

export function addWatchersDelete(watchers: Command): void {
  watchers
    .command('delete')
    .argument('<id>', 'the watcher')
    .description('take a watcher away; its records and runs stay')
    .action(
      withApp(async (app, _options, [id = '']) => {
        await removeWatcher(app.db, await findWatcher(app, id))
        return { report: { id, deleted: true }, text: `${id} is gone; its records stay.` }
      }),
    )
}
