import type { Command } from 'commander'
import { presentWatcher } from '../watchers/present-watcher.ts'
import { channelsOf, watchersOf } from '../watchers/watcher-store.ts'
import { withApp } from './command.ts'
import { findOrganization } from './find-organization.ts'
import { columns } from './output.ts'

export function addWatchersList(watchers: Command): void {
  watchers
    .command('list')
    .description('the watchers of an organization')
    .option('--org <id>', 'organization (default: the only one)')
    .action(
      withApp<{ org?: string }>(async (app, { org }) => {
        const organizationId = await findOrganization(app, org)
        const items: Item[] = []
        for (const watcher of await watchersOf(app.db, organizationId)) {
          items.push(presentWatcher(watcher, await channelsOf(app.db, watcher)))
        }
        return { report: { items }, text: items.length === 0 ? NONE : tableOf(items) }
      }),
    )
}

type Item = ReturnType<typeof presentWatcher>

const NONE = 'There are no watchers. Make one with `earshot watchers create --file watcher.json`.'
const HEAD = ['ID', 'NAME', 'CHANNELS', 'RULES', 'EVERY', 'STATE']

function tableOf(items: readonly Item[]): string {
  const rows = items.map(({ id, name, channels, rules, intervalSeconds, enabled }) => [
    id,
    name,
    channels.map(({ platform, subforum }) => `${platform}/${subforum}`).join(','),
    String(rules.length),
    `${intervalSeconds} s`,
    enabled ? 'watching' : 'paused',
  ])
  return columns([HEAD, ...rows])
}
