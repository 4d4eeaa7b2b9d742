import type { Command } from 'commander'
import { addWatchersCreate } from './watchers-create.ts'
import { addWatchersDelete } from './watchers-delete.ts'
import { addWatchersList } from './watchers-list.ts'
import { addWatchersPause, addWatchersResume } from './watchers-pause.ts'
import { addWatchersRun } from './watchers-run.ts'
import { addWatchersShow } from './watchers-show.ts'
import { addWatchersUpdate } from './watchers-update.ts'

export function addWatchers(program: Command): void {
  const watchers = program.command('watchers').description('what is watched, and by which rules')
  addWatchersCreate(watchers)
  addWatchersList(watchers)
  addWatchersShow(watchers)
  addWatchersUpdate(watchers)
  addWatchersPause(watchers)
  addWatchersResume(watchers)
  addWatchersDelete(watchers)
  addWatchersRun(watchers)
}
