import type { Command } from 'commander'
import { ListDeliveries, type Delivery } from '../contract/delivery.ts'
import { deliveryPage } from '../events/delivery-page.ts'
import { presentDelivery } from '../events/present-delivery.ts'
import { withApp } from './command.ts'
import { parseOption } from './failure.ts'
import { findOrganization } from './find-organization.ts'
import { columns } from './output.ts'

interface Options extends Record<string, string | undefined> {
  org?: string
}

const HEAD = ['ID', 'EVENT', 'STATE', 'ATTEMPTS', 'LAST', 'CREATED']
const NONE = 'There are no deliveries.'

export function addDeliveriesList(deliveries: Command): void {
  deliveries
    .command('list')
    .description('the delivery log, newest first')
    .option('--org <id>', 'organization (default: the only one)')
    .option('--webhook <id>', 'only of this webhook')
    .option('--state <state>', 'pending, sending, delivered, retrying, failed or held')
    .option('--status <code>', 'only with this status code of the last attempt')
    .option('--event <kind>', 'only of this kind')
    .option('--from <time>', 'created at this ISO 8601 time or later')
    .option('--to <time>', 'created before this time')
    .option('--limit <count>', 'how many at most, up to 100')
    .option('--cursor <cursor>', 'nextCursor of the page before')
    .action(
      withApp<Options>(async (app, { org, ...given }) => {
        const organizationId = await findOrganization(app, org)
        const { json: _json, ...filters } = given
        const query = parseOption('a filter', ListDeliveries.query, filters)
        const page = await deliveryPage(app.db, organizationId, query)
        const items = page.deliveries.map(presentDelivery)
        const text = items.length === 0 ? NONE : tableOf(items)
        return { report: { items, nextCursor: page.nextCursor }, text }
      }),
    )
}

function tableOf(items: readonly Delivery[]): string {
  const rows = items.map((delivery) => [
    delivery.id,
    delivery.test ? `${delivery.eventKind} (test)` : delivery.eventKind,
    delivery.state,
    String(delivery.attempts),
    delivery.lastError ??
      (delivery.lastStatusCode === null ? '' : `HTTP ${delivery.lastStatusCode}`),
    delivery.createdAt,
  ])
  return columns([HEAD, ...rows])
}
