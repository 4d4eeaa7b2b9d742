import type { Command } from 'commander'
import { ChangeWebhook } from '../contract/webhook.ts'
import { changeWebhook } from '../events/change-webhook.ts'
import { presentWebhook } from '../events/present-webhook.ts'
import { webhookContext } from '../webhook-context.ts'
import { withApp } from './command.ts'
import { eventList } from './event-list.ts'
import { parseOption } from './failure.ts'
import { findWebhook } from './find-webhook.ts'

interface Options extends Record<string, unknown> {
  url?: string
  events?: string
  description?: string
}

export function addWebhooksUpdate(webhooks: Command): void {
  webhooks
    .command('update')
    .argument('<id>', 'the webhook')
    .description('change where a webhook leads, what it is told, or its description')
    .option('--url <url>', 'where events are sent to')
    .option('--events <list>', 'comma-separated event kinds')
    .option('--description <text>', 'what it is for')
    .action(
      withApp<Options>(async (app, { url, events, description }, [id = '']) => {
        const wanted = {
          url,
          description,
          events: events === undefined ? undefined : eventList(events),
        }
        const change = parseOption('the change', ChangeWebhook.body, wanted)
        const key = await findWebhook(app, id)
        const report = presentWebhook(await changeWebhook(webhookContext(app), key, change))
        return { report, text: `${id} is changed.` }
      }),
    )
}
