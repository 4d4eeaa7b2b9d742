import type { Command } from 'commander'
import { createWatcher } from '../watchers/create-watcher.ts'
import { withApp } from './command.ts'
import { findOrganization } from './find-organization.ts'
import { readWatcherFile } from './watcher-file.ts'

interface Options extends Record<string, unknown> {
  org?: string
  file: string
}

export function addWatchersCreate(watchers: Command): void {
  watchers
    .command('create')
    .description('make a watcher from a JSON file; its first posts are there in seconds')
    .requiredOption('--file <file>', 'the watcher as JSON; - reads standard input')
    .option('--org <id>', 'organization (default: the only one)')
    .action(
      withApp<Options>(async (app, { org, file }) => {
        const organizationId = await findOrganization(app, org)
        const wanted = await readWatcherFile(file)
        const { minIntervalSeconds } = app.config.watchers
        const context = { db: app.db, minIntervalSeconds, now: app.clock() }
        const { id } = await createWatcher(context, organizationId, wanted)
        return { report: { id }, text: `${wanted.name} is ${id}.` }
      }),
    )
}
