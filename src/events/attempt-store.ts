// Owns the `attempt` table: every time something was sent, or may have been.

import { sql } from 'kysely'
import type { Db, EngineName, Trx } from '../db/database.ts'
import { ROWS } from '../db/rows.ts'
import type { Tables } from '../db/tables.ts'
import { hours } from '../lib/duration.ts'
import type { Attempted, Claimed } from './delivery.ts'

type AttemptOutcome = 'delivered' | 'failed' | 'interrupted'

export interface Attempt {
  number: number
  outcome: AttemptOutcome
  status: number | null
  error: string | null
  snippet: string
  durationMs: number
  at: number
  isTest: boolean
}

const INTERRUPTED = 'The process that sent it ended before the answer was known'

export async function insertAttempts(
  trx: Trx,
  engine: EngineName,
  attempts: readonly Attempted[],
): Promise<void> {
  const given = ROWS[engine](
    attempts.map(({ claimed, outcome }) => ({
      ...keyOf(claimed),
      outcome: outcome.ok ? 'delivered' : 'failed',
      status: outcome.status,
      error: outcome.error,
      snippet: outcome.snippet,
      duration_ms: outcome.durationMs,
      at: outcome.startedAt,
    })),
    COLUMNS,
  )
  // A process that was believed to be dead knows better.
  await sql`
    insert into attempt (${sql.join(Object.keys(COLUMNS).map((name) => sql.ref(name)))})
    select * from ${given} as given where true
    on conflict (organization_id, delivery_id, number) do update
    set outcome = excluded.outcome, status = excluded.status, error = excluded.error,
      snippet = excluded.snippet, duration_ms = excluded.duration_ms, at = excluded.at`.execute(trx)
}

const COLUMNS = {
  organization_id: 'text',
  delivery_id: 'text',
  number: 'integer',
  webhook_id: 'text',
  is_test: 'integer',
  outcome: 'text',
  status: 'integer',
  error: 'text',
  snippet: 'text',
  duration_ms: 'integer',
  at: 'integer',
} as const

/** Of a process that died: the receiver may have got it. */
export async function insertInterrupted(
  trx: Trx,
  claimed: readonly Omit<Claimed, 'kind' | 'eventId' | 'tries' | 'waitMs'>[],
  now: number,
): Promise<void> {
  if (claimed.length === 0) return
  const rows = claimed.map((one) => ({
    ...keyOf(one),
    outcome: 'interrupted',
    status: null,
    error: INTERRUPTED,
    snippet: '',
    duration_ms: 0,
    at: now,
  }))
  // A process that was only slow may have told of it after all.
  await trx
    .insertInto('attempt')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

function keyOf({
  organizationId,
  id,
  number,
  webhookId,
  isTest,
}: Pick<Claimed, 'organizationId' | 'id' | 'number' | 'webhookId' | 'isTest'>) {
  return {
    organization_id: organizationId,
    delivery_id: id,
    number,
    webhook_id: webhookId,
    is_test: isTest ? 1 : 0,
  }
}

/** In their order. */
export async function attemptsOf(
  db: Db,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<Attempt[]> {
  const rows = await db
    .selectFrom('attempt')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('delivery_id', '=', id)
    .orderBy('number')
    .execute()
  return rows.map(attemptOf)
}

function attemptOf(row: Tables['attempt']): Attempt {
  return {
    number: row.number,
    outcome: row.outcome as AttemptOutcome,
    status: row.status,
    error: row.error,
    snippet: row.snippet,
    durationMs: row.duration_ms,
    at: row.at,
    isTest: row.is_test === 1,
  }
}

export interface HourFigures {
  /** The first instant of the hour. */
  from: number
  delivered: number
  failed: number
}

interface Span {
  organizationId: string
  webhookId: string
  from: number
}

const HOUR_MS = hours(1)

/** Of every hour in which something was sent, the oldest first. Tests do not count. */
export async function hourlyFigures(
  db: Db,
  { organizationId, webhookId, from }: Span,
): Promise<HourFigures[]> {
  const { rows } = await sql<{ hour: number; delivered: number; failed: number }>`
    select at / ${sql.lit(HOUR_MS)} as hour,
      sum(case when outcome = 'delivered' then 1 else 0 end) as delivered,
      sum(case when outcome = 'failed' then 1 else 0 end) as failed
    from attempt
    where organization_id = ${organizationId} and webhook_id = ${webhookId} and at >= ${from}
      and is_test = 0
    group by 1 order by 1`.execute(db)
  return rows.map(({ hour, delivered, failed }) => ({
    from: hour * HOUR_MS,
    delivered: Number(delivered),
    failed: Number(failed),
  }))
}

/** How long the latest attempts took that got an answer or waited for one. */
export async function latestDurations(
  db: Db,
  { organizationId, webhookId, from }: Span,
  limit: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('attempt')
    .select('duration_ms')
    .where('organization_id', '=', organizationId)
    .where('webhook_id', '=', webhookId)
    .where('at', '>=', from)
    .where('is_test', '=', 0)
    .where('outcome', '<>', 'interrupted')
    .orderBy('at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ duration_ms: ms }) => ms)
}
