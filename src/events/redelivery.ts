// Everything of a webhook that failed or was held since a time is put on its way again, step by step, so
// that nobody waits long for the writer, and it can be seen how far it has come.

import type { Db, EngineName, Trx } from '../db/database.ts'
import { notFound } from '../errors.ts'
import { firstIdAt, newId } from '../lib/id.ts'
import { countLeftOver, requeueLeftOver, type LeftOver } from './left-over-store.ts'
import { expectWebhook } from './expect-webhook.ts'
import { disabled } from './redeliver.ts'
import {
  insertRedelivery,
  redeliveryById,
  updateRedelivery,
  type Redelivery,
} from './redelivery-store.ts'
import { webhookById, type WebhookKey } from './webhook-store.ts'

type Span = Pick<Redelivery, 'organizationId' | 'webhookId' | 'since' | 'untilId'>

const DELIVERIES_A_STEP = 500

export async function openRedelivery(
  trx: Trx,
  { organizationId, id: webhookId }: WebhookKey,
  { engine, since, now }: { engine: EngineName; since: number; now: number },
): Promise<Redelivery> {
  const webhook = await expectWebhook(trx, { organizationId, id: webhookId })
  if (!webhook.enabled) throw disabled()
  // Those that come later take care of themselves.
  const from = Math.min(Math.max(since, 0), now)
  const span = { organizationId, webhookId, since: from, untilId: firstIdAt('dlv', now + 1) }
  const redelivery = {
    ...span,
    id: newId('rdl', now),
    total: await countLeftOver(trx, leftOver(span, engine)),
    done: 0,
    createdAt: now,
    finishedAt: null,
  }
  await insertRedelivery(trx, redelivery)
  return redelivery
}

/** One step; it is finished when there is nothing left, or the webhook has been disabled again. */
export async function advanceRedelivery(
  { db, engine }: { db: Db; engine: EngineName },
  key: { organizationId: string; id: string },
  now: number,
): Promise<Redelivery> {
  return db.transaction().execute(async (trx) => {
    const before = await redeliveryById(trx, key)
    if (before === undefined) throw notFound('redelivery')
    const { organizationId, webhookId } = before
    const webhook = await webhookById(trx, { organizationId, id: webhookId })
    const terms = { most: DELIVERIES_A_STEP, now }
    const count =
      webhook?.enabled === true ? await requeueLeftOver(trx, leftOver(before, engine), terms) : 0
    const after = { done: before.done + count, finishedAt: count < terms.most ? now : null }
    await updateRedelivery(trx, key, after)
    return { ...before, ...after }
  })
}

function leftOver(
  { organizationId, webhookId, since, untilId }: Span,
  engine: EngineName,
): LeftOver {
  return { engine, organizationId, webhookId, fromId: firstIdAt('dlv', since), untilId }
}
