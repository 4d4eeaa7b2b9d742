import type { Db, EngineName } from '../db/database.ts'
import { insertAttempts } from './attempt-store.ts'
import { keysIn, settle, type Attempted } from './delivery.ts'
import { holdWaiting } from './delivery-store.ts'
import { lockStandings, updateSettled, updateStandings } from './sending-store.ts'
import type { WebhookKey } from './webhook-store.ts'

export interface SettleTerms {
  engine: EngineName
  senderId: string
  now: number
  random?: () => number
}

/** Writes down what attempts came to, all of them or none, and what follows; which webhooks it disabled. */
export async function settleAttempts(
  db: Db,
  attempts: readonly Attempted[],
  { engine, senderId, now, random = Math.random }: SettleTerms,
): Promise<WebhookKey[]> {
  const byWebhook = Map.groupBy(attempts, ({ claimed }) => claimed.webhookId)
  const webhooks = keysIn(
    attempts.map(({ claimed }) => claimed),
    'webhookId',
  )
  return db.transaction().execute(async (trx) => {
    const standings = await lockStandings(trx, engine, webhooks)
    const outcomes = standings.map((before) => {
      const ended = byWebhook.get(before.id) ?? []
      return { before, ...settle(before, ended, { now, random }) }
    })
    // What a webhook that is purged by now still had under way is nobody's.
    const settled = outcomes.flatMap((outcome) => outcome.settled)
    await insertAttempts(trx, engine, settled)
    await updateSettled(trx, { engine, senderId }, settled)
    const changes = outcomes.map(({ before, standing }) => ({
      webhook: before,
      standing,
      disabledAt: before.enabled && !standing.enabled ? now : null,
    }))
    await updateStandings(trx, engine, changes)
    const disabled = changes.filter(({ disabledAt }) => disabledAt !== null)
    for (const { webhook } of disabled) await holdWaiting(trx, webhook)
    return disabled.map(({ webhook }) => webhook)
  })
}
