// What is taken out of `delivery`, `attempt`, `redelivery` and `webhook` when its time is over.

import type { Db } from '../db/database.ts'
import type { DeliveryState } from '../contract/delivery.ts'
import { firstIdAt } from '../lib/id.ts'

const ENDED: DeliveryState[] = ['delivered', 'failed']

interface Span {
  organizationId: string
  before: number
  /** Up to this one they were looked at already. */
  afterId: string
  limit: number
}

/** Made, and last tried, before then; in their order. */
export async function endedDeliveries(
  db: Db,
  { organizationId, before, afterId, limit }: Span,
): Promise<string[]> {
  const rows = await db
    .selectFrom('delivery')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('state', 'in', ENDED)
    .where('id', '>', afterId)
    .where('id', '<', firstIdAt('dlv', before))
    .where(({ eb, fn }) => eb(fn.coalesce('last_attempt_at', 'created_at'), '<', before))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export async function deliveriesOfDeleted(
  db: Db,
  organizationId: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook')
    .innerJoin('delivery', (join) =>
      join
        .onRef('delivery.organization_id', '=', 'webhook.organization_id')
        .onRef('delivery.webhook_id', '=', 'webhook.id'),
    )
    .select('delivery.id')
    .where('webhook.organization_id', '=', organizationId)
    .where('webhook.deleted_at', 'is not', null)
    // It ends first, and is in the log until then.
    .where('delivery.state', '<>', 'sending')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export async function deleteDeliveries(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx
      .deleteFrom('attempt')
      .where('organization_id', '=', organizationId)
      .where('delivery_id', 'in', ids)
      .execute()
    await trx
      .deleteFrom('delivery')
      .where('organization_id', '=', organizationId)
      .where('id', 'in', ids)
      .execute()
  })
}

export async function deleteEmptiedWebhooks(db: Db): Promise<void> {
  await db
    .deleteFrom('webhook')
    .where('deleted_at', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('delivery')
            .select('delivery.id')
            .whereRef('delivery.organization_id', '=', 'webhook.organization_id')
            .whereRef('delivery.webhook_id', '=', 'webhook.id'),
        ),
      ),
    )
    .execute()
}

export async function deleteOldRedeliveries(
  db: Db,
  { organizationId, before }: { organizationId: string; before: number },
): Promise<void> {
  await db
    .deleteFrom('redelivery')
    .where('organization_id', '=', organizationId)
    .where('id', '<', firstIdAt('rdl', before))
    .where('finished_at', 'is not', null)
    .execute()
}
