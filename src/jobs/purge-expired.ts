import { deleteExpiredInvitations } from '../accounts/invitation-store.ts'
import { deleteExpiredSessions } from '../accounts/session-store.ts'
import type { RecurringJob } from './job.ts'

/** They have no effect any more; this only keeps the tables small. */
export const purgeExpired: RecurringJob = {
  kind: 'recurring',
  name: 'purge_expired',
  queue: 'work',
  everyMs: ({ config }) => config.jobs.purgeEveryMs,

  async run({ db, clock }) {
    const sessions = await deleteExpiredSessions(db, clock())
    const invitations = await deleteExpiredInvitations(db, clock())
    return { sessions, invitations }
  },
}
