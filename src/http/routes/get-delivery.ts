import { GetDelivery } from '../../contract/delivery.ts'
import { deliveryDetails } from '../../events/delivery-details.ts'
import { ownThing } from '../own-thing.ts'
import { route } from '../route.ts'

export const getDelivery = route(GetDelivery, (call) =>
  deliveryDetails(call.app.db, ownThing(call)),
)
