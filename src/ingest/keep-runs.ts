import type { Trx } from '../db/database.ts'
import { tell } from '../events/tell.ts'
import { runEvent } from './run-event.ts'
import { insertRuns, type Run } from './run-store.ts'

/** A run and the event that tells of it are stored together, or not at all. */
export async function keepRuns(trx: Trx, runs: readonly Run[], now: number): Promise<void> {
  await insertRuns(trx, runs)
  await tell(
    trx,
    runs.map((run) => runEvent(run, now)),
  )
}
