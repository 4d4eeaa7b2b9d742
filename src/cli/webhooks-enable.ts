import type { Command } from 'commander'
import { disableWebhook, enableWebhook } from '../events/enable-webhook.ts'
import { withApp } from './command.ts'
import { findWebhook } from './find-webhook.ts'

export function addWebhooksEnable(webhooks: Command): void {
  webhooks
    .command('enable')
    .argument('<id>', 'the webhook')
    .description('send to a webhook again, from the next event on')
    .action(
      withApp(async (app, _options, [id = '']) => {
        await enableWebhook(app.db, await findWebhook(app, id))
        const text = `${id} is enabled. What failed or was held is sent again by \`earshot webhooks redeliver ${id} --since DATE\`.`
        return { report: { id, enabled: true }, text }
      }),
    )
}

export function addWebhooksDisable(webhooks: Command): void {
  webhooks
    .command('disable')
    .argument('<id>', 'the webhook')
    .description('send nothing more to a webhook; what happens meanwhile is held')
    .action(
      withApp(async (app, _options, [id = '']) => {
        await disableWebhook(app.db, await findWebhook(app, id), app.clock())
        return { report: { id, enabled: false }, text: `${id} is disabled.` }
      }),
    )
}
