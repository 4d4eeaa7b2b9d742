import type { Command } from 'commander'
import { GetWebhookHealth, type WebhookHealth } from '../contract/delivery.ts'
import { webhookHealth } from '../events/webhook-health.ts'
import { withApp } from './command.ts'
import { parseOption } from './failure.ts'
import { findWebhook } from './find-webhook.ts'
import { columns } from './output.ts'

export function addWebhooksHealth(webhooks: Command): void {
  webhooks
    .command('health')
    .argument('<id>', 'the webhook')
    .description('how a webhook has been doing')
    .option('--hours <count>', 'over how many hours, up to 720', '24')
    .action(
      withApp<{ hours: string }>(async (app, options, [id = '']) => {
        const { hours } = GetWebhookHealth.query.shape
        const terms = { hours: parseOption('--hours', hours, options.hours), now: app.clock() }
        const report = await webhookHealth(app.database, await findWebhook(app, id), terms)
        return { report, text: textOf(report) }
      }),
    )
}

function textOf(health: WebhookHealth): string {
  const rate = health.successRate === null ? 'nothing was sent' : percent(health.successRate)
  return columns([
    ['success rate', rate],
    ['attempts', String(health.attempts)],
    ['p50, p95', `${health.p50Ms ?? '–'} ms, ${health.p95Ms ?? '–'} ms`],
    ['failures in a row', String(health.consecutiveFailures)],
    ['last success', health.lastSuccessAt ?? 'never'],
    ['waiting, held', `${health.waiting}, ${health.held}`],
    ...health.overTime.map(({ from, delivered, failed }) => [
      from,
      `${delivered} delivered, ${failed} failed`,
    ]),
  ])
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
