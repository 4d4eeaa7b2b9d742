import type { Command } from 'commander'
import { z } from 'zod'
import type { App } from '../app.ts'
import { presentRun } from '../ingest/present-run.ts'
import { runsOf, type RunFilter } from '../ingest/run-store.ts'
import { withApp } from './command.ts'
import { parseOption } from './failure.ts'
import { findOrganization } from './find-organization.ts'
import { findWatcher } from './find-watcher.ts'
import { runsTable } from './runs-table.ts'

const Limit = z.coerce.number().int().min(1).max(10_000)

interface Options extends Record<string, unknown> {
  org?: string
  watcher?: string
  limit: string
}

export function addRuns(program: Command): void {
  program
    .command('runs')
    .description('crawl runs')
    .command('list')
    .description('the latest runs, newest first')
    .option('--org <id>', 'organization (default: the only one)')
    .option('--watcher <id>', 'only of this watcher')
    .option('--limit <count>', 'how many at most', '50')
    .action(
      withApp<Options>(async (app, options) => {
        const runs = await runsOf(app.db, await filterOf(app, options))
        const items = runs.map(presentRun)
        return { report: { items }, text: runsTable(items) }
      }),
    )
}

async function filterOf(app: App, { org, watcher, limit }: Options): Promise<RunFilter> {
  const most = parseOption('--limit', Limit, limit)
  if (watcher === undefined) {
    return { organizationId: await findOrganization(app, org), limit: most }
  }
  const { organizationId, id } = await findWatcher(app, watcher)
  return { organizationId, watcherId: id, limit: most }
}
