import type { Db } from '../db/database.ts'
import { notFound } from '../errors.ts'
import { holdWaiting } from './delivery-store.ts'
import { expectWebhook } from './expect-webhook.ts'
import { disable, enable, markDeleted, type WebhookKey } from './webhook-store.ts'

/** From the next event on. What was held is not sent by itself. */
export async function enableWebhook(db: Db, key: WebhookKey): Promise<void> {
  await expectWebhook(db, key)
  await enable(db, key)
}

/** What waits to be sent is held. */
export async function disableWebhook(db: Db, key: WebhookKey, now: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await expectWebhook(trx, key)
    await disable(trx, key, { reason: 'Disabled by hand', now })
    await holdWaiting(trx, key)
  })
}

/** It is gone at once; what it has left behind goes in steps. */
export async function deleteWebhook(db: Db, key: WebhookKey, now: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await markDeleted(trx, key, now))) throw notFound('webhook')
    await holdWaiting(trx, key)
  })
}
