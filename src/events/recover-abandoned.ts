import type { Db } from '../db/database.ts'
import { insertInterrupted } from './attempt-store.ts'
import { abandoned, giveBack, removeDeadSenders } from './sending-store.ts'

/** What processes that are gone had in their hands waits again, at once; each may have been sent. */
export async function recoverAbandoned(db: Db, now: number): Promise<number> {
  const found = await abandoned(db, now)
  for (const one of found) {
    await db.transaction().execute(async (trx) => {
      // Two processes may look at the same time.
      if (await giveBack(trx, one)) await insertInterrupted(trx, [one], now)
    })
  }
  await removeDeadSenders(db, now)
  return found.length
}
