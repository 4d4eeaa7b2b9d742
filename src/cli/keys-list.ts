import type { Command } from 'commander'
import { keysOf } from '../accounts/key-store.ts'
import { presentKey } from '../accounts/present-key.ts'
import type { Key } from '../contract/key.ts'
import { withApp } from './command.ts'
import { findOrganization } from './find-organization.ts'
import { columns } from './output.ts'

export function addKeysList(keys: Command): void {
  keys
    .command('list')
    .description('the keys of an organization that are not revoked, newest first')
    .option('--org <id>', 'organization (default: the only one)')
    .action(
      withApp<{ org?: string }>(async (app, { org }) => {
        const organizationId = await findOrganization(app, org)
        const items = (await keysOf(app.db, organizationId)).map(presentKey)
        return { report: { items }, text: items.length === 0 ? NONE : tableOf(items) }
      }),
    )
}

const NONE = 'There are no keys. Make one with `earshot keys create --name "My first key"`.'
const HEAD = ['ID', 'NAME', 'KEY', 'SCOPES', 'EXPIRES', 'LAST USED']

function tableOf(items: readonly Key[]): string {
  const rows = items.map(({ id, name, hint, scopes, expiresAt, lastUsedAt }) => [
    id,
    name,
    hint,
    scopes.join(','),
    expiresAt ?? 'never',
    lastUsedAt ?? 'never',
  ])
  return columns([HEAD, ...rows])
}
