import type { Db } from '../db/database.ts'
import { AppError, notFound } from '../errors.ts'
import { deliveryById, requeue, type Delivery } from './delivery-store.ts'
import { webhookById } from './webhook-store.ts'

/** At once, with the same bytes; if it fails, it is tried as often as a new one. */
export async function redeliver(
  db: Db,
  key: { organizationId: string; id: string },
  now: number,
): Promise<Delivery> {
  return db.transaction().execute(async (trx) => {
    const delivery = await deliveryById(trx, key)
    if (delivery === undefined) throw notFound('delivery')
    const { organizationId, webhookId, isTest } = delivery
    const webhook = await webhookById(trx, { organizationId, id: webhookId })
    if (webhook === undefined) throw notFound('delivery')
    if (isTest) throw conflict('This was a test. Send another test instead.')
    if (!webhook.enabled) throw disabled()
    if (!(await requeue(trx, key, now))) throw conflict('It is being sent at this moment.')
    const queued = await deliveryById(trx, key)
    if (queued === undefined) throw notFound('delivery')
    return queued
  })
}

export function disabled(): AppError {
  return conflict('Its webhook is disabled. Enable the webhook first.')
}

function conflict(message: string): AppError {
  return new AppError('CONFLICT', message)
}
