import type { Redelivery as Shown } from '../contract/delivery.ts'
import { isoTime, isoTimeOrNull } from '../lib/iso-time.ts'
import type { Redelivery } from './redelivery-store.ts'

export function presentRedelivery(redelivery: Redelivery): Shown {
  const { id, webhookId, since, total, done, createdAt, finishedAt } = redelivery
  return {
    id,
    webhookId,
    since: isoTime(since),
    total,
    done,
    createdAt: isoTime(createdAt),
    finishedAt: isoTimeOrNull(finishedAt),
  }
}
