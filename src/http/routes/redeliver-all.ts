import { RedeliverAll } from '../../contract/delivery.ts'
import { presentRedelivery } from '../../events/present-redelivery.ts'
import { startRedelivery } from '../../events/start-redelivery.ts'
import { ownThing } from '../own-thing.ts'
import { route } from '../route.ts'

export const redeliverAll = route(RedeliverAll, async (call) => {
  const { database, clock } = call.app
  const terms = { since: call.body.since, now: clock() }
  return presentRedelivery(await startRedelivery(database, ownThing(call), terms))
})
