import type { Command } from 'commander'
import { NewWebhook } from '../contract/webhook.ts'
import { createWebhook } from '../events/create-webhook.ts'
import { webhookContext } from '../webhook-context.ts'
import { withApp } from './command.ts'
import { eventList } from './event-list.ts'
import { parseOption } from './failure.ts'
import { findOrganization } from './find-organization.ts'

interface Options extends Record<string, unknown> {
  org?: string
  url: string
  events: string
  description: string
}

export function addWebhooksCreate(webhooks: Command): void {
  webhooks
    .command('create')
    .description('make a webhook and print its secret, this once')
    .requiredOption('--url <url>', 'where events are sent to')
    .requiredOption(
      '--events <list>',
      'comma-separated: crawl.run.completed, alert.fired, curation.batch.ready',
    )
    .option('--org <id>', 'organization (default: the only one)')
    .option('--description <text>', 'what it is for', '')
    .action(
      withApp<Options>(async (app, options) => {
        const organizationId = await findOrganization(app, options.org)
        const { shape } = NewWebhook
        const wanted = {
          url: parseOption('--url', shape.url, options.url),
          events: parseOption('--events', shape.events, eventList(options.events)),
          description: parseOption('--description', shape.description, options.description),
        }
        const report = await createWebhook(webhookContext(app), organizationId, wanted)
        const text = `${report.secret}\n\nThis is the secret of ${report.id}. It is not shown again.`
        return { report, text }
      }),
    )
}
