// Deliveries on their way: claimed by a sender, and settled when the attempt has ended. Owns the `sender`
// table; `delivery` and `webhook` are written here only for what an attempt changes.

import { sql } from 'kysely'
import type { EventKind } from '../contract/event.ts'
import type { Db, EngineName, Trx } from '../db/database.ts'
import { ROW_LOCK } from '../db/row-lock.ts'
import { keyRows, ROWS } from '../db/rows.ts'
import { days } from '../lib/duration.ts'
import { CLAIM, type ClaimTerms } from './claim.ts'
import type { Claimed, Settled, Standing } from './delivery.ts'
import type { WebhookKey } from './webhook-store.ts'

export async function keepAlive(db: Db, id: string, aliveUntil: number): Promise<void> {
  await db
    .insertInto('sender')
    .values({ id, alive_until: aliveUntil })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ alive_until: aliveUntil }))
    .execute()
}

export async function removeSender(db: Db, id: string): Promise<void> {
  await db.deleteFrom('sender').where('id', '=', id).execute()
}

/** Webhooks that something is due for by then. */
export async function dueWebhooks(
  db: Db,
  { enabled, until }: { enabled: boolean; until: number },
): Promise<WebhookKey[]> {
  return db
    .selectFrom('webhook')
    .select(['organization_id as organizationId', 'id'])
    .where('enabled', '=', enabled ? 1 : 0)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('delivery')
          .select('delivery.id')
          .whereRef('delivery.organization_id', '=', 'webhook.organization_id')
          .whereRef('delivery.webhook_id', '=', 'webhook.id')
          .where('delivery.sender_id', 'is', null)
          .where('delivery.due_at', '<=', until),
      ),
    )
    .execute()
}

export async function claimDue(db: Db, engine: EngineName, terms: ClaimTerms): Promise<Claimed[]> {
  const { rows } = await CLAIM[engine](terms).execute(db)
  // Which rows were changed first is not told; ids are in the order of time.
  const inOrder = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return inOrder.map((row) => ({
    organizationId: row.organization_id,
    id: row.id,
    webhookId: row.webhook_id,
    eventId: row.event_id,
    kind: row.event_kind as EventKind,
    isTest: false,
    number: row.attempts,
    tries: row.tries,
    waitMs: row.wait_ms,
  }))
}

type WebhookStanding = Standing & { organizationId: string; id: string }

/** Locked until the transaction ends, in an order that two processes cannot block each other by. */
export async function lockStandings(
  trx: Trx,
  engine: EngineName,
  webhooks: readonly WebhookKey[],
): Promise<WebhookStanding[]> {
  const { rows } = await sql<Omit<WebhookStanding, 'enabled'> & { enabled: number }>`
    select organization_id as "organizationId", id, enabled, disabled_reason as "disabledReason",
      consecutive_failures as "consecutiveFailures", last_success_at as "lastSuccessAt",
      last_failure_at as "lastFailureAt"
    from webhook
    where (organization_id, id) in (
      select organization_id, id from ${keyRows(engine, webhooks)} as wanted
    )
    order by organization_id, id ${ROW_LOCK[engine]}`.execute(trx)
  return rows.map((row) => ({ ...row, enabled: row.enabled === 1 }))
}

export interface StandingChange {
  webhook: WebhookKey
  standing: Standing
  /** Null when it was not disabled by this. */
  disabledAt: number | null
}

export async function updateStandings(
  trx: Trx,
  engine: EngineName,
  changes: readonly StandingChange[],
): Promise<void> {
  const given = ROWS[engine](
    changes.map(({ webhook, standing, disabledAt }) => ({
      organization_id: webhook.organizationId,
      id: webhook.id,
      enabled: standing.enabled ? 1 : 0,
      disabled_reason: standing.disabledReason,
      disabled_at: disabledAt,
      consecutive_failures: standing.consecutiveFailures,
      last_success_at: standing.lastSuccessAt,
      last_failure_at: standing.lastFailureAt,
    })),
    {
      organization_id: 'text',
      id: 'text',
      enabled: 'integer',
      disabled_reason: 'text',
      disabled_at: 'integer',
      consecutive_failures: 'integer',
      last_success_at: 'integer',
      last_failure_at: 'integer',
    },
  )
  await sql`
    update webhook
    set enabled = given.enabled, disabled_reason = given.disabled_reason,
      disabled_at = coalesce(given.disabled_at, webhook.disabled_at),
      consecutive_failures = given.consecutive_failures,
      last_success_at = given.last_success_at, last_failure_at = given.last_failure_at
    from ${given} as given
    where webhook.organization_id = given.organization_id and webhook.id = given.id`.execute(trx)
}

/** Only of those that this sender still has: one that was slow may have lost them, and got them back. */
export async function updateSettled(
  trx: Trx,
  { engine, senderId }: { engine: EngineName; senderId: string },
  settled: readonly Settled[],
): Promise<void> {
  const given = ROWS[engine](
    settled.map(({ claimed, state, tries, waitMs, dueAt, outcome }) => ({
      organization_id: claimed.organizationId,
      id: claimed.id,
      number: claimed.number,
      state,
      tries,
      wait_ms: waitMs,
      due_at: dueAt,
      last_status: outcome.status,
      last_error: outcome.error,
      last_attempt_at: outcome.startedAt,
    })),
    {
      organization_id: 'text',
      id: 'text',
      number: 'integer',
      state: 'text',
      tries: 'integer',
      wait_ms: 'integer',
      due_at: 'integer',
      last_status: 'integer',
      last_error: 'text',
      last_attempt_at: 'integer',
    },
  )
  // An equality would let PostgreSQL go by the sender, who has many, instead of by the key.
  await sql`
    update delivery
    set state = given.state, tries = given.tries, wait_ms = given.wait_ms, due_at = given.due_at,
      sender_id = null, last_status = given.last_status, last_error = given.last_error,
      last_attempt_at = given.last_attempt_at
    from ${given} as given
    where delivery.organization_id = given.organization_id and delivery.id = given.id
      and delivery.sender_id is not distinct from ${senderId}
      and delivery.attempts = given.number`.execute(trx)
}

interface Abandoned {
  organizationId: string
  id: string
  webhookId: string
  isTest: boolean
  number: number
  tries: number
  senderId: string
}

/** In the hands of processes that are gone. */
export async function abandoned(db: Db, now: number): Promise<Abandoned[]> {
  const rows = await db
    .selectFrom('delivery')
    .select(['organization_id', 'id', 'webhook_id', 'is_test', 'attempts', 'tries', 'sender_id'])
    .where('sender_id', 'is not', null)
    .where('sender_id', 'not in', (eb) =>
      eb.selectFrom('sender').select('id').where('alive_until', '>=', now),
    )
    .execute()
  return rows.map((row) => ({
    organizationId: row.organization_id,
    id: row.id,
    webhookId: row.webhook_id,
    isTest: row.is_test === 1,
    number: row.attempts,
    tries: row.tries,
    senderId: row.sender_id ?? '',
  }))
}

/** False when somebody else was first. A test is not sent again by itself. */
export async function giveBack(
  db: Db,
  { organizationId, id, isTest, number, tries, senderId }: Omit<Abandoned, 'webhookId'>,
): Promise<boolean> {
  const waits = { state: tries > 0 ? 'retrying' : 'pending' }
  const { numUpdatedRows } = await db
    .updateTable('delivery')
    .set({ sender_id: null, ...(isTest ? { state: 'failed', due_at: null } : waits) })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('sender_id', '=', senderId)
    .where('attempts', '=', number)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Which attempt of which delivery is in the hands of a sender. */
export type ClaimProof = Pick<Claimed, 'organizationId' | 'id' | 'number'>

export async function claimedBy(db: Db, senderId: string): Promise<ClaimProof[]> {
  return db
    .selectFrom('delivery')
    .select(['organization_id as organizationId', 'id', 'attempts as number'])
    .where('sender_id', '=', senderId)
    .execute()
}

/** As if they had not been claimed; what its webhook must not have is held. */
export async function unclaim(
  db: Db,
  { engine, senderId }: { engine: EngineName; senderId: string },
  claimed: readonly ClaimProof[],
): Promise<void> {
  const given = ROWS[engine](
    claimed.map(({ organizationId, id, number }) => ({
      organization_id: organizationId,
      id,
      number,
    })),
    { organization_id: 'text', id: 'text', number: 'integer' },
  )
  const isOpen = sql`exists (
    select 1 from webhook
    where webhook.organization_id = delivery.organization_id and webhook.id = delivery.webhook_id
      and webhook.enabled = 1 and webhook.deleted_at is null)`
  await sql`
    update delivery
    set sender_id = null, attempts = delivery.attempts - 1,
      due_at = case when ${isOpen} then delivery.due_at end,
      state = case when not ${isOpen} then 'held' when delivery.tries > 0 then 'retrying' else 'pending' end
    from ${given} as given
    where delivery.organization_id = given.organization_id and delivery.id = given.id
      and delivery.sender_id = ${senderId} and delivery.attempts = given.number`.execute(db)
}

const FORGOTTEN_AFTER_MS = days(1)

/** Long after they were last seen: a clock may be wrong by a little. */
export async function removeDeadSenders(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('sender')
    .where('alive_until', '<', now - FORGOTTEN_AFTER_MS)
    .execute()
}
