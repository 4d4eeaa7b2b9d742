import type { Command } from 'commander'
import { EventKind } from '../contract/event.ts'
import { testAttempt, presentAttempt } from '../events/present-delivery.ts'
import { testWebhook } from '../events/test-webhook.ts'
import { attemptTerms } from '../webhook-context.ts'
import { withApp } from './command.ts'
import { parseOption } from './failure.ts'
import { findWebhook } from './find-webhook.ts'

export function addWebhooksTest(webhooks: Command): void {
  webhooks
    .command('test')
    .argument('<id>', 'the webhook')
    .description('send a sample at once and show what the receiver answered')
    .option('--event <kind>', 'which kind (default: the first that the webhook is told)')
    .action(
      withApp<{ event?: string }>(async (app, { event }, [id = '']) => {
        const kind = event === undefined ? undefined : parseOption('--event', EventKind, event)
        const context = { db: app.db, engine: app.database.engine, terms: await attemptTerms(app) }
        const { deliveryId, number, outcome } = await testWebhook(
          context,
          await findWebhook(app, id),
          kind,
        )
        const attempt = presentAttempt(testAttempt(number, outcome))
        const said = outcome.status === null ? outcome.error : `HTTP ${outcome.status}`
        const text = [`${said} after ${outcome.durationMs} ms`, outcome.snippet].join('\n').trim()
        return { report: { deliveryId, attempt }, text, exitCode: outcome.ok ? 0 : 1 }
      }),
    )
}
