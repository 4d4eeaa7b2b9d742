// What is needed to send deliveries, read from the tables of webhooks and events.

import { sql } from 'kysely'
import type { Db, EngineName } from '../db/database.ts'
import { keyRows } from '../db/rows.ts'
import { keysIn, type Claimed } from './delivery.ts'
import type { SealedSecrets, WebhookKey } from './webhook-store.ts'

/** What is needed to send: where to, what, and signed with what. */
export interface Material extends SealedSecrets {
  deliveryId: string
  url: string
  enabled: boolean
  body: string
}

/** Each webhook and each event is asked for once, however many deliveries it is in. */
export async function materialsOf(
  db: Db,
  engine: EngineName,
  claimed: readonly Pick<Claimed, 'organizationId' | 'id' | 'webhookId' | 'eventId'>[],
): Promise<Material[]> {
  const [webhooks, bodies] = await Promise.all([
    addresses(db, engine, keysIn(claimed, 'webhookId')),
    eventBodies(db, engine, keysIn(claimed, 'eventId')),
  ])
  const [webhookById, bodyById] = [new Map(webhooks.map((one) => [one.id, one])), new Map(bodies)]
  return claimed.flatMap(({ id: deliveryId, webhookId, eventId }) => {
    const [webhook, body] = [webhookById.get(webhookId), bodyById.get(eventId)]
    if (webhook === undefined || body === undefined) return []
    const { url, enabled, secret, previousSecret, previousSecretUntil } = webhook
    return { deliveryId, url, enabled, secret, previousSecret, previousSecretUntil, body }
  })
}

type Address = Omit<Material, 'deliveryId' | 'body'> & { id: string }

async function addresses(
  db: Db,
  engine: EngineName,
  webhooks: readonly WebhookKey[],
): Promise<Address[]> {
  const { rows } = await sql<Omit<Address, 'enabled'> & { enabled: number }>`
    select webhook.id, url, enabled, secret, previous_secret as "previousSecret",
      previous_secret_until as "previousSecretUntil"
    from ${keyRows(engine, webhooks)} as wanted
    join webhook on webhook.organization_id = wanted.organization_id and webhook.id = wanted.id
    where deleted_at is null`.execute(db)
  return rows.map((row) => ({ ...row, enabled: row.enabled === 1 }))
}

async function eventBodies(
  db: Db,
  engine: EngineName,
  events: readonly WebhookKey[],
): Promise<[string, string][]> {
  const { rows } = await sql<{ id: string; body: string }>`
    select event.id, event.body
    from ${keyRows(engine, events)} as wanted
    join event on event.organization_id = wanted.organization_id and event.id = wanted.id`.execute(
    db,
  )
  return rows.map(({ id, body }) => [id, body])
}
