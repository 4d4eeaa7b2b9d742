import type { Command } from 'commander'
import { presentDelivery } from '../events/present-delivery.ts'
import { redeliver } from '../events/redeliver.ts'
import { withApp } from './command.ts'
import { findDelivery } from './find-delivery.ts'

export function addDeliveriesRedeliver(deliveries: Command): void {
  deliveries
    .command('redeliver')
    .argument('<id>', 'the delivery')
    .description('send a delivery again: the same bytes, the same event id')
    .action(
      withApp(async (app, _options, [id = '']) => {
        const key = await findDelivery(app, id)
        const report = presentDelivery(await redeliver(app.db, key, app.clock()))
        return { report, text: `${id} is on its way again.` }
      }),
    )
}
