import type { Db, EngineName } from '../db/database.ts'
import { insertAttempts } from './attempt-store.ts'
import { settle, type Attempted } from './delivery.ts'
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
  return db.transaction().execute(async (trx) => {
    await insertAttempts(trx, attempts)
    const standings = await lockStandings(trx, engine, keysOf(attempts))
    const outcomes = standings.map((before) => {
      const ended = byWebhook.get(before.id) ?? []
      return { before, ...settle(before, ended, { now, random }) }
    })
    const settled = outcomes.flatMap((outcome) => outcome.settled)
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

function keysOf(attempts: readonly Attempted[]): WebhookKey[] {
  const keys = attempts.map(({ claimed: { organizationId, webhookId } }) => ({
    organizationId,
    id: webhookId,
  }))
  return [...new Map(keys.map((key) => [key.id, key])).values()]
}
