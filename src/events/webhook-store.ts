// Owns the `webhook` table. Secrets go in and out encrypted, and only where something is signed.

import type { EventKind } from '../contract/event.ts'
import type { WebhookChange } from '../contract/webhook.ts'
import { fromJsonText, toJsonText } from '../db/codecs.ts'
import type { Db, Trx } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'
import type { Standing } from './delivery.ts'

export interface Webhook extends Standing {
  organizationId: string
  id: string
  url: string
  description: string
  events: EventKind[]
  disabledAt: number | null
  createdAt: number
}

export interface WebhookKey {
  organizationId: string
  id: string
}

/** Encrypted. */
export interface SealedSecrets {
  secret: string
  previousSecret: string | null
  previousSecretUntil: number | null
}

const COLUMNS = [
  'organization_id',
  'id',
  'url',
  'description',
  'events',
  'enabled',
  'disabled_reason',
  'disabled_at',
  'consecutive_failures',
  'last_success_at',
  'last_failure_at',
  'created_at',
] as const

export async function insertWebhook(db: Db, webhook: Webhook, secret: string): Promise<void> {
  await db
    .insertInto('webhook')
    .values({
      organization_id: webhook.organizationId,
      id: webhook.id,
      url: webhook.url,
      description: webhook.description,
      events: toJsonText(webhook.events),
      secret,
      previous_secret: null,
      previous_secret_until: null,
      enabled: webhook.enabled ? 1 : 0,
      disabled_reason: webhook.disabledReason,
      disabled_at: webhook.disabledAt,
      consecutive_failures: webhook.consecutiveFailures,
      last_success_at: webhook.lastSuccessAt,
      last_failure_at: webhook.lastFailureAt,
      created_at: webhook.createdAt,
      deleted_at: null,
    })
    .execute()
}

/** Newest first. */
export async function webhooksOf(db: Db, organizationId: string): Promise<Webhook[]> {
  const rows = await there(db, organizationId).select(COLUMNS).orderBy('id', 'desc').execute()
  return rows.map(webhookOf)
}

export async function webhookById(db: Db, key: WebhookKey): Promise<Webhook | undefined> {
  const row = await there(db, key.organizationId)
    .select(COLUMNS)
    .where('id', '=', key.id)
    .executeTakeFirst()
  return row === undefined ? undefined : webhookOf(row)
}

/** Commands name a webhook without its organization. */
export async function webhookByIdAlone(db: Db, id: string): Promise<WebhookKey | undefined> {
  return db
    .selectFrom('webhook')
    .select(['organization_id as organizationId', 'id'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

export async function sealedSecretsOf(db: Db, key: WebhookKey): Promise<SealedSecrets | undefined> {
  return there(db, key.organizationId)
    .select(['secret', 'previous_secret as previousSecret'])
    .select('previous_secret_until as previousSecretUntil')
    .where('id', '=', key.id)
    .executeTakeFirst()
}

export async function updateWebhook(
  db: Db,
  key: WebhookKey,
  change: WebhookChange,
): Promise<boolean> {
  const { url, description, events } = change
  return update(db, key, {
    ...(url === undefined ? {} : { url }),
    ...(description === undefined ? {} : { description }),
    ...(events === undefined ? {} : { events: toJsonText(events) }),
  })
}

export async function changeSecrets(
  db: Db,
  key: WebhookKey,
  { secret, previousSecret, previousSecretUntil }: SealedSecrets,
): Promise<boolean> {
  return update(db, key, {
    secret,
    previous_secret: previousSecret,
    previous_secret_until: previousSecretUntil,
  })
}

/** False when it was disabled before: its reason stays. */
export async function disable(
  db: Db,
  key: WebhookKey,
  { reason, now }: { reason: string; now: number },
): Promise<boolean> {
  return update(db, key, { enabled: 0, disabled_reason: reason, disabled_at: now }, 1)
}

/** False when it was enabled before. */
export async function enable(db: Db, key: WebhookKey): Promise<boolean> {
  const fresh = { enabled: 1, disabled_reason: null, disabled_at: null, consecutive_failures: 0 }
  return update(db, key, fresh, 0)
}

export async function markDeleted(db: Db, key: WebhookKey, now: number): Promise<boolean> {
  return update(db, key, { deleted_at: now, enabled: 0 })
}

async function update(
  db: Db,
  key: WebhookKey,
  changes: Partial<Tables['webhook']>,
  enabled?: 0 | 1,
): Promise<boolean> {
  const there = db
    .updateTable('webhook')
    .set(changes)
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', key.id)
    .where('deleted_at', 'is', null)
  const inState = enabled === undefined ? there : there.where('enabled', '=', enabled)
  const { numUpdatedRows } = await inState.executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function countWebhooks(db: Db): Promise<{ enabled: boolean; count: number }[]> {
  const rows = await db
    .selectFrom('webhook')
    .select((eb) => ['enabled', eb.fn.countAll<number>().as('count')])
    .where('deleted_at', 'is', null)
    .groupBy('enabled')
    .execute()
  return rows.map(({ enabled, count }) => ({ enabled: enabled === 1, count: Number(count) }))
}

/** Whom an event of this organization may be told to. */
export interface Listener {
  id: string
  events: EventKind[]
  enabled: boolean
}

export async function listenersOf(trx: Trx, organizationId: string): Promise<Listener[]> {
  const rows = await there(trx, organizationId).select(['id', 'events', 'enabled']).execute()
  return rows.map(({ id, events, enabled }) => ({
    id,
    events: fromJsonText<EventKind>(events),
    enabled: enabled === 1,
  }))
}

function there(db: Db, organizationId: string) {
  return db
    .selectFrom('webhook')
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
}

function webhookOf(row: Pick<Tables['webhook'], (typeof COLUMNS)[number]>): Webhook {
  return {
    organizationId: row.organization_id,
    id: row.id,
    url: row.url,
    description: row.description,
    events: fromJsonText<EventKind>(row.events),
    enabled: row.enabled === 1,
    disabledReason: row.disabled_reason,
    disabledAt: row.disabled_at,
    consecutiveFailures: row.consecutive_failures,
    lastSuccessAt: row.last_success_at,
    lastFailureAt: row.last_failure_at,
    createdAt: row.created_at,
  }
}
