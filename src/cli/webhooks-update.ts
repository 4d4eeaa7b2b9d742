import type { Command } from 'commander'
import { ChangeWebhook, NewWebhook } from '../contract/webhook.ts'
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
        const { shape } = NewWebhook
        const wanted = {
          url: url === undefined ? undefined : parseOption('--url', shape.url, url),
          events:
            events === undefined
              ? undefined
              : parseOption('--events', shape.events, eventList(events)),
          description:
            description === undefined
              ? undefined
              : parseOption('--description', shape.description, description),
        }
        const change = parseOption('Nothing to change: it', ChangeWebhook.body, wanted)
        const key = await findWebhook(app, id)
        const report = presentWebhook(await changeWebhook(webhookContext(app), key, change))
        return { report, text: `${id} is changed.` }
      }),
    )
}
