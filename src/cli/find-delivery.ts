import type { App } from '../app.ts'
import { OperatorError } from '../errors.ts'
import { organizationOfDelivery } from '../events/delivery-store.ts'

/** A delivery's id is enough on the command line, whichever organization it belongs to. */
export async function findDelivery(
  { db, database }: App,
  id: string,
): Promise<{ organizationId: string; id: string }> {
  const organizationId = await organizationOfDelivery(db, id)
  if (organizationId !== undefined) return { organizationId, id }
  throw new OperatorError(
    `There is no delivery ${id} in ${database.location}. \`earshot deliveries list\` shows those there are.`,
  )
}
