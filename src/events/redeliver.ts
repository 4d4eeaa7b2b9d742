import type { Db } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { requeue, type Delivery } from './delivery-store.ts'
import { expectDelivery } from './expect-delivery.ts'

/** At once, with the same bytes; if it fails, it is tried as often as a new one. */
export async function redeliver(
  db: Db,
  key: { organizationId: string; id: string },
  now: number,
): Promise<Delivery> {
  return db.transaction().execute(async (trx) => {
    const { webhook, isTest } = await expectDelivery(trx, key)
    if (isTest) throw conflict('This was a test. Send another test instead.')
    if (!webhook.enabled) throw disabled()
    if (!(await requeue(trx, key, now))) throw conflict('It is being sent at this moment.')
    return expectDelivery(trx, key)
  })
}

export function disabled(): AppError {
  return conflict('Its webhook is disabled. Enable the webhook first.')
}

function conflict(message: string): AppError {
  return new AppError('CONFLICT', message)
}
