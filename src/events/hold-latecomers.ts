import type { Db } from '../db/database.ts'
import { holdWaiting } from './delivery-store.ts'
import { dueWebhooks } from './sending-store.ts'

/** What was told or requeued in the very moment in which its webhook was disabled. */
export async function holdLatecomers(db: Db): Promise<void> {
  const disabled = await dueWebhooks(db, { enabled: false, until: Number.MAX_SAFE_INTEGER })
  for (const webhook of disabled) await holdWaiting(db, webhook)
}
