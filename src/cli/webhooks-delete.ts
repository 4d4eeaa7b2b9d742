import type { Command } from 'commander'
import { deleteWebhook } from '../events/enable-webhook.ts'
import { withApp } from './command.ts'
import { findWebhook } from './find-webhook.ts'

export function addWebhooksDelete(webhooks: Command): void {
  webhooks
    .command('delete')
    .argument('<id>', 'the webhook')
    .description('delete a webhook with its deliveries')
    .action(
      withApp(async (app, _options, [id = '']) => {
        await deleteWebhook(app.db, await findWebhook(app, id), app.clock())
        return { report: { id, deleted: true }, text: `${id} is deleted.` }
      }),
    )
}
