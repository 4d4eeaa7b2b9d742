import type { Command } from 'commander'
import { wholeNumberText } from '../contract/fields.ts'
import { ROTATION_OVERLAP_HOURS_MAX } from '../contract/webhook.ts'
import { rotateSecret } from '../events/rotate-secret.ts'
import { webhookContext } from '../webhook-context.ts'
import { withApp } from './command.ts'
import { parseOption } from './failure.ts'
import { findWebhook } from './find-webhook.ts'

const Hours = wholeNumberText(0, ROTATION_OVERLAP_HOURS_MAX)

export function addWebhooksRotate(webhooks: Command): void {
  webhooks
    .command('rotate')
    .argument('<id>', 'the webhook')
    .description('give a webhook a new secret and print it, this once')
    .option(
      '--overlap-hours <hours>',
      'how long the old secret signs the Standard Webhooks header besides, up to 24',
      '0',
    )
    .action(
      withApp<{ overlapHours: string }>(async (app, options, [id = '']) => {
        const overlapHours = parseOption('--overlap-hours', Hours, options.overlapHours)
        const key = await findWebhook(app, id)
        const report = await rotateSecret(webhookContext(app), key, { overlapHours })
        return { report, text: `${report.secret}\n\nThis is the new secret of ${id}.` }
      }),
    )
}
