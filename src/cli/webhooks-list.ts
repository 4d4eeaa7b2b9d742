import type { Command } from 'commander'
import type { Webhook } from '../contract/webhook.ts'
import { presentListed } from '../events/present-webhook.ts'
import { webhooksOf } from '../events/webhook-store.ts'
import { withApp } from './command.ts'
import { findOrganization } from './find-organization.ts'
import { columns } from './output.ts'

const NONE =
  'There are no webhooks. Make one with `earshot webhooks create --url https://… --events crawl.run.completed`.'
const HEAD = ['ID', 'URL', 'EVENTS', 'STATE', 'LAST SUCCESS', 'FAILURES']

export function addWebhooksList(webhooks: Command): void {
  webhooks
    .command('list')
    .description('the webhooks of an organization')
    .option('--org <id>', 'organization (default: the only one)')
    .action(
      withApp<{ org?: string }>(async (app, { org }) => {
        const found = await webhooksOf(app.db, await findOrganization(app, org))
        const items = found.map(presentListed)
        return { report: { items }, text: items.length === 0 ? NONE : tableOf(items) }
      }),
    )
}

function tableOf(items: readonly Webhook[]): string {
  const rows = items.map((webhook) => [
    webhook.id,
    webhook.url,
    webhook.events.join(','),
    webhook.enabled ? 'enabled' : `disabled: ${webhook.disabledReason}`,
    webhook.lastSuccessAt ?? 'never',
    String(webhook.consecutiveFailures),
  ])
  return columns([HEAD, ...rows])
}
