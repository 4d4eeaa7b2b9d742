import { z } from 'zod'
import { advanceRedelivery } from '../events/redelivery.ts'
import { REDELIVER_ALL } from '../events/start-redelivery.ts'
import { finishJob } from '../queue/job-store.ts'
import type { QueuedJob } from './job.ts'

const Payload = z.object({ organizationId: z.string(), id: z.string() })

export const redeliverAll: QueuedJob = {
  kind: 'queued',
  ...REDELIVER_ALL,

  async run({ db, database, clock }, job, signal) {
    const key = Payload.parse(JSON.parse(job.payload))
    let redelivery = await advanceRedelivery(database, key, clock())
    while (redelivery.finishedAt === null) {
      signal.throwIfAborted()
      redelivery = await advanceRedelivery(database, key, clock())
    }
    await finishJob(db, job, null)
    return { ...key, deliveries: redelivery.done }
  },
}
