import { GetRedelivery } from '../../contract/delivery.ts'
import { notFound } from '../../errors.ts'
import { presentRedelivery } from '../../events/present-redelivery.ts'
import { redeliveryById } from '../../events/redelivery-store.ts'
import { ownThing } from '../own-thing.ts'
import { route } from '../route.ts'

export const getRedelivery = route(GetRedelivery, async (call) => {
  const redelivery = await redeliveryById(call.app.db, ownThing(call))
  if (redelivery === undefined) throw notFound('redelivery')
  return presentRedelivery(redelivery)
})
