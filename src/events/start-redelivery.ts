import type { Db, EngineName } from '../db/database.ts'
import { enqueueOnce } from '../queue/job-store.ts'
import { openRedelivery } from './redelivery.ts'
import type { Redelivery } from './redelivery-store.ts'
import type { WebhookKey } from './webhook-store.ts'

/** The job that does it. */
export const REDELIVER_ALL = { name: 'redeliver_all', queue: 'work' } as const

export async function startRedelivery(
  { db, engine }: { db: Db; engine: EngineName },
  webhook: WebhookKey,
  terms: { since: number; now: number },
): Promise<Redelivery> {
  return db.transaction().execute(async (trx) => {
    const redelivery = await openRedelivery(trx, webhook, { engine, ...terms })
    const { organizationId, id } = redelivery
    const payload = JSON.stringify({ organizationId, id })
    const job = { ...REDELIVER_ALL, id: `${REDELIVER_ALL.name} ${id}`, payload }
    await enqueueOnce(trx, job, terms.now)
    return redelivery
  })
}
