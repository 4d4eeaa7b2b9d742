import { ListDeliveries } from '../../contract/delivery.ts'
import { deliveryPage } from '../../events/delivery-page.ts'
import { presentDelivery } from '../../events/present-delivery.ts'
import { callerOf, route } from '../route.ts'

export const listDeliveries = route(ListDeliveries, async (call) => {
  const { app, query } = call
  const { organizationId } = callerOf(call).identity
  const { deliveries, nextCursor } = await deliveryPage(app, organizationId, query)
  return { items: deliveries.map(presentDelivery), nextCursor }
})
