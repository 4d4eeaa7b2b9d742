import type { Command } from 'commander'
import { Beginning } from '../contract/day-or-instant.ts'
import { presentRedelivery } from '../events/present-redelivery.ts'
import { advanceRedelivery, openRedelivery } from '../events/redelivery.ts'
import { withApp } from './command.ts'
import { parseOption } from './failure.ts'
import { findWebhook } from './find-webhook.ts'
import { ProgressLine } from './progress.ts'

export function addWebhooksRedeliver(webhooks: Command): void {
  webhooks
    .command('redeliver')
    .argument('<id>', 'the webhook')
    .description('send everything again that failed or was held since a time')
    .requiredOption('--since <date>', 'ISO 8601 date or timestamp')
    .action(
      withApp<{ since: string }>(async (app, options, [id = '']) => {
        const since = parseOption('--since', Beginning, options.since)
        const { db, database, clock } = app
        const webhook = await findWebhook(app, id)
        using line = new ProgressLine()
        const terms = { engine: database.engine, since, now: clock() }
        let redelivery = await db
          .transaction()
          .execute((trx) => openRedelivery(trx, webhook, terms))
        while (redelivery.finishedAt === null) {
          redelivery = await advanceRedelivery(database, redelivery, clock())
          const { done, total } = redelivery
          line.show(done / Math.max(total, 1), `${done} of ${total}`)
        }
        const text = `${redelivery.done} deliveries of ${id} are on their way again.`
        return { report: presentRedelivery(redelivery), text }
      }),
    )
}
