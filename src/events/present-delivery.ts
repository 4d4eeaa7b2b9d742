import type { Attempt as ShownAttempt, Delivery as Shown } from '../contract/delivery.ts'
import { isoTime, isoTimeOrNull } from '../lib/iso-time.ts'
import type { Attempt } from './attempt-store.ts'
import type { Delivery } from './delivery-store.ts'
import type { Outcome } from './delivery.ts'

export function presentDelivery(delivery: Delivery): Shown {
  return {
    id: delivery.id,
    webhookId: delivery.webhookId,
    eventId: delivery.eventId,
    eventKind: delivery.kind,
    test: delivery.isTest,
    state: delivery.state,
    attempts: delivery.attempts,
    lastStatusCode: delivery.lastStatus,
    lastError: delivery.lastError,
    lastAttemptAt: isoTimeOrNull(delivery.lastAttemptAt),
    nextAttemptAt: delivery.state === 'sending' ? null : isoTimeOrNull(delivery.dueAt),
    createdAt: isoTime(delivery.createdAt),
  }
}

export function presentAttempt(attempt: Attempt): ShownAttempt {
  return {
    number: attempt.number,
    outcome: attempt.outcome,
    statusCode: attempt.status,
    error: attempt.error,
    responseSnippet: attempt.snippet,
    durationMs: attempt.durationMs,
    at: isoTime(attempt.at),
    test: attempt.isTest,
  }
}

/** As a test's is in the log. */
export function testAttempt(number: number, outcome: Outcome): Attempt {
  return {
    isTest: true,
    number,
    outcome: outcome.ok ? 'delivered' : 'failed',
    status: outcome.status,
    error: outcome.error,
    snippet: outcome.snippet,
    durationMs: outcome.durationMs,
    at: outcome.startedAt,
  }
}
