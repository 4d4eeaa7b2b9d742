import type { Command } from 'commander'
import { pauseWatcher, resumeWatcher } from '../watchers/pause-watcher.ts'
import { withApp } from './command.ts'
import { findWatcher } from './find-watcher.ts'

export function addWatchersPause(watchers: Command): void {
  watchers
    .command('pause')
    .argument('<id>', 'the watcher')
    .description('stop watching; what was found stays')
    .action(
      withApp(async (app, _options, [id = '']) => {
        await pauseWatcher(app.db, await findWatcher(app, id))
        return { report: { id, enabled: false }, text: `${id} is paused.` }
      }),
    )
}

export function addWatchersResume(watchers: Command): void {
  watchers
    .command('resume')
    .argument('<id>', 'the watcher')
    .description('watch again, from as far back as the channels reach')
    .action(
      withApp(async (app, _options, [id = '']) => {
        await resumeWatcher(app.db, await findWatcher(app, id), app.clock())
        return { report: { id, enabled: true }, text: `${id} watches again.` }
      }),
    )
}
