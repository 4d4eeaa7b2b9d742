import { Redeliver } from '../../contract/delivery.ts'
import { presentDelivery } from '../../events/present-delivery.ts'
import { redeliver as sendAgain } from '../../events/redeliver.ts'
import { ownThing } from '../own-thing.ts'
import { route } from '../route.ts'

export const redeliver = route(Redeliver, async (call) =>
  presentDelivery(await sendAgain(call.app.db, ownThing(call), call.app.clock())),
)
