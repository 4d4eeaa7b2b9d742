import type { WebhookHealth } from '../contract/delivery.ts'
import type { Db, EngineName } from '../db/database.ts'
import { hours } from '../lib/duration.ts'
import { isoTime, isoTimeOrNull } from '../lib/iso-time.ts'
import { hourlyFigures, latestDurations } from './attempt-store.ts'
import { countWaiting } from './count-store.ts'
import { expectWebhook } from './expect-webhook.ts'
import type { WebhookKey } from './webhook-store.ts'

/** Enough to tell, and no more to read however busy a webhook is. */
const DURATIONS_MAX = 1_000

export async function webhookHealth(
  { db, engine }: { db: Db; engine: EngineName },
  key: WebhookKey,
  { hours: count, now }: { hours: number; now: number },
): Promise<WebhookHealth> {
  const webhook = await expectWebhook(db, key)
  const from = now - hours(count)
  const span = { organizationId: key.organizationId, webhookId: key.id, from }
  const [figures, durations, states] = await Promise.all([
    hourlyFigures(db, span),
    latestDurations(db, span, DURATIONS_MAX),
    countWaiting(db, engine, key),
  ])
  const delivered = figures.reduce((sum, hour) => sum + hour.delivered, 0)
  const attempts = figures.reduce((sum, hour) => sum + hour.delivered + hour.failed, 0)
  const { consecutiveFailures, lastSuccessAt } = webhook
  return {
    successRate: attempts === 0 ? null : delivered / attempts,
    attempts,
    p50Ms: percentile(durations, 0.5),
    p95Ms: percentile(durations, 0.95),
    consecutiveFailures,
    lastSuccessAt: isoTimeOrNull(lastSuccessAt),
    waiting: states.waiting,
    held: states.held,
    overTime: figures.map((hour) => ({ ...hour, from: isoTime(hour.from) })),
  }
}

function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * share) - 1] ?? null
}
