import type { Command } from 'commander'
import { addDeliveriesList } from './deliveries-list.ts'
import { addDeliveriesRedeliver } from './deliveries-redeliver.ts'
import { addDeliveriesShow } from './deliveries-show.ts'

export function addDeliveries(program: Command): void {
  const deliveries = program.command('deliveries').description('what was sent, and what came of it')
  addDeliveriesList(deliveries)
  addDeliveriesShow(deliveries)
  addDeliveriesRedeliver(deliveries)
}
