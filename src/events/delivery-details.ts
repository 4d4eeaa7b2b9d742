import type { z } from 'zod'
import type { GetDelivery } from '../contract/delivery.ts'
import type { Db } from '../db/database.ts'
import { attemptsOf } from './attempt-store.ts'
import { bodyOf } from './event-store.ts'
import { expectDelivery } from './expect-delivery.ts'
import { presentAttempt, presentDelivery } from './present-delivery.ts'

export async function deliveryDetails(
  db: Db,
  key: { organizationId: string; id: string },
): Promise<z.input<typeof GetDelivery.response>> {
  const delivery = await expectDelivery(db, key)
  const event = { organizationId: key.organizationId, id: delivery.eventId }
  const [body, log] = await Promise.all([bodyOf(db, event), attemptsOf(db, key)])
  return { ...presentDelivery(delivery), body, log: log.map(presentAttempt) }
}
