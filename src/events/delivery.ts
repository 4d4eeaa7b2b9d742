// The words for deliveries, and what becomes of one after an attempt. Pure decisions.

import type { DeliveryState } from '../contract/delivery.ts'
import type { EventKind } from '../contract/event.ts'
import { nextWaitMs } from './retry-schedule.ts'

/** A delivery that a sender has in its hands. */
export interface Claimed {
  organizationId: string
  id: string
  webhookId: string
  eventId: string
  kind: EventKind
  isTest: boolean
  /** This attempt's number, from 1. */
  number: number
  /** How many attempts failed since it was last queued. */
  tries: number
  waitMs: number
}

/** The webhooks, or the events, of several deliveries: each once. */
export function keysIn<Name extends 'webhookId' | 'eventId'>(
  claimed: readonly ({ organizationId: string } & Record<Name, string>)[],
  name: Name,
): { organizationId: string; id: string }[] {
  const keys = claimed.map((one) => ({ organizationId: one.organizationId, id: one[name] }))
  return [...new Map(keys.map((key) => [key.id, key])).values()]
}

/** What an attempt came to. */
export interface Outcome {
  ok: boolean
  status: number | null
  /** In words; null when it went well. */
  error: string | null
  /** The beginning of the answer. */
  snippet: string
  retryAfterMs: number | null
  startedAt: number
  durationMs: number
}

export interface Attempted {
  claimed: Claimed
  outcome: Outcome
}

/** What is known of a webhook's fortune. */
export interface Standing {
  enabled: boolean
  disabledReason: string | null
  consecutiveFailures: number
  lastSuccessAt: number | null
  lastFailureAt: number | null
}

export interface Settled extends Attempted {
  state: DeliveryState
  tries: number
  waitMs: number
  dueAt: number | null
}

const FAILURES_MAX = 20

/** The attempts of one webhook, in the order in which they ended. */
export function settle(
  before: Standing,
  attempts: readonly Attempted[],
  { now, random }: { now: number; random: () => number },
): { standing: Standing; settled: Settled[] } {
  let standing = before
  const settled: Settled[] = []
  for (const attempt of attempts) {
    if (!attempt.claimed.isTest) standing = standingAfter(standing, attempt.outcome)
    settled.push(settledAfter(attempt, standing, { now, random }))
  }
  return { standing, settled }
}

function standingAfter(standing: Standing, outcome: Outcome): Standing {
  const endedAt = outcome.startedAt + outcome.durationMs
  if (outcome.ok) return { ...standing, consecutiveFailures: 0, lastSuccessAt: endedAt }
  const consecutiveFailures = standing.consecutiveFailures + 1
  const failed = { ...standing, consecutiveFailures, lastFailureAt: endedAt }
  if (!standing.enabled || consecutiveFailures < FAILURES_MAX) return failed
  const disabledReason = `${consecutiveFailures} consecutive failures; last: ${outcome.error}`
  return { ...failed, enabled: false, disabledReason }
}

function settledAfter(
  { claimed, outcome }: Attempted,
  { enabled }: Standing,
  { now, random }: { now: number; random: () => number },
): Settled {
  const attempted = { claimed, outcome }
  const over = { ...attempted, tries: claimed.tries, waitMs: claimed.waitMs, dueAt: null }
  if (outcome.ok) return { ...over, state: 'delivered' }
  const tries = claimed.tries + 1
  if (claimed.isTest) return { ...over, tries, state: 'failed' }
  const waitMs = nextWaitMs({ ...outcome, tries, waitMs: claimed.waitMs }, random)
  if (waitMs === null) return { ...over, tries, state: 'failed' }
  if (!enabled) return { ...over, tries, state: 'held' }
  return { ...attempted, tries, waitMs, state: 'retrying', dueAt: now + waitMs }
}
