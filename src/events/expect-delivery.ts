import type { Db } from '../db/database.ts'
import { notFound } from '../errors.ts'
import { deliveryById, type Delivery } from './delivery-store.ts'
import { webhookById, type Webhook } from './webhook-store.ts'

/** What a deleted webhook leaves behind is not there any more. */
export async function expectDelivery(
  db: Db,
  key: { organizationId: string; id: string },
): Promise<Delivery & { webhook: Webhook }> {
  const delivery = await deliveryById(db, key)
  const webhook =
    delivery === undefined ? undefined : await webhookById(db, { ...key, id: delivery.webhookId })
  if (delivery === undefined || webhook === undefined) throw notFound('delivery')
  return { ...delivery, webhook }
}
