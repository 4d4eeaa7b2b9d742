import type { Command } from 'commander'
import { deliveryDetails } from '../events/delivery-details.ts'
import { withApp } from './command.ts'
import { findDelivery } from './find-delivery.ts'
import { columns } from './output.ts'

const HEAD = ['#', 'AT', 'OUTCOME', 'STATUS', 'MS', 'ERROR']

export function addDeliveriesShow(deliveries: Command): void {
  deliveries
    .command('show')
    .argument('<id>', 'the delivery')
    .description('one delivery: its attempts, and the body that is sent')
    .action(
      withApp(async (app, _options, [id = '']) => {
        const report = await deliveryDetails(app.db, await findDelivery(app, id))
        const rows = report.log.map((attempt) => [
          String(attempt.number),
          attempt.at,
          attempt.outcome,
          String(attempt.statusCode ?? ''),
          String(attempt.durationMs),
          attempt.error ?? '',
        ])
        const head = `${report.id}: ${report.eventKind}, ${report.state}`
        return { report, text: [head, columns([HEAD, ...rows]), report.body].join('\n\n') }
      }),
    )
}
