import { randomUUID } from 'node:crypto'
import type { EventKind } from '../contract/event.ts'
import type { Db, EngineName } from '../db/database.ts'
import { notFound } from '../errors.ts'
import { seconds } from '../lib/duration.ts'
import { newId } from '../lib/id.ts'
import { attempt, type AttemptTerms } from './attempt.ts'
import { insertDeliveries } from './delivery-store.ts'
import type { Claimed, Outcome } from './delivery.ts'
import { insertEvents } from './event-store.ts'
import { sampleEvent } from './sample-event.ts'
import { materialsOf } from './material-store.ts'
import { keepAlive, removeSender } from './sending-store.ts'
import { settleAttempts } from './settle-attempts.ts'
import { webhookById, type WebhookKey } from './webhook-store.ts'

/** An attempt takes no longer, with what has to be stored before and after. */
const ALIVE_MS = seconds(60)

export interface TestContext {
  db: Db
  engine: EngineName
  terms: AttemptTerms
}

export interface Tested {
  deliveryId: string
  number: number
  outcome: Outcome
}

/**
 * Sends a sample at once, also while the webhook is disabled: whoever mended a receiver wants to know
 * before enabling it. It is in the log, is never tried again, and counts for nothing.
 */
export async function testWebhook(
  { db, engine, terms }: TestContext,
  key: WebhookKey,
  kind?: EventKind,
): Promise<Tested> {
  const webhook = await webhookById(db, key)
  if (webhook === undefined) throw notFound('webhook')
  const now = terms.now()
  const event = sampleEvent(key.organizationId, kind ?? webhook.events[0] ?? 'alert.fired', now)
  const claimed: Claimed = {
    organizationId: key.organizationId,
    id: newId('dlv', now),
    webhookId: key.id,
    eventId: event.id,
    kind: event.kind,
    isTest: true,
    number: 1,
    tries: 0,
    waitMs: 0,
  }
  const senderId = `tst_${randomUUID()}`
  await keepAlive(db, senderId, now + ALIVE_MS)
  await db.transaction().execute(async (trx) => {
    await insertEvents(trx, [event])
    await insertDeliveries(trx, [
      { ...claimed, state: 'sending', dueAt: null, createdAt: now, senderId },
    ])
  })
  const [material] = await materialsOf(db, engine, [claimed])
  if (material === undefined) throw notFound('webhook')
  const outcome = await attempt(claimed, material, terms)
  await settleAttempts(db, [{ claimed, outcome }], { engine, senderId, now: terms.now() })
  await removeSender(db, senderId)
  return { deliveryId: claimed.id, number: claimed.number, outcome }
}
