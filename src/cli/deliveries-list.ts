import type { Command } from 'commander'
import { DeliveryFilters, ListDeliveries, type Delivery } from '../contract/delivery.ts'
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
    .option('--from <time>', 'created then or later: an ISO 8601 date or timestamp')
    .option('--to <time>', 'created then or earlier')
    .option('--limit <count>', 'how many at most, up to 100')
    .option('--cursor <cursor>', 'nextCursor of the page before')
    .action(
      withApp<Options>(async (app, { org, ...given }) => {
        const organizationId = await findOrganization(app, org)
        const query = parseOption('--from', ListDeliveries.query, checked(given))
        const page = await deliveryPage(app, organizationId, query)
        const items = page.deliveries.map(presentDelivery)
        const text = items.length === 0 ? NONE : tableOf(items)
        return { report: { items, nextCursor: page.nextCursor }, text }
      }),
    )
}

/** Each by itself, so that a mistake names its option; what is left is about two of them. */
function checked(given: Record<string, unknown>): Record<string, unknown> {
  const { shape } = DeliveryFilters
  const names = (Object.keys(shape) as (keyof typeof shape)[]).filter((name) => name in given)
  for (const name of names) parseOption(`--${name}`, shape[name], given[name])
  return Object.fromEntries(names.map((name) => [name, given[name]]))
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
