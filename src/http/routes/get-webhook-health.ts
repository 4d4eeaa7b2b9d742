import { GetWebhookHealth } from '../../contract/delivery.ts'
import { webhookHealth } from '../../events/webhook-health.ts'
import { ownThing } from '../own-thing.ts'
import { route } from '../route.ts'

export const getWebhookHealth = route(GetWebhookHealth, (call) => {
  const { app, query } = call
  return webhookHealth(app.database, ownThing(call), { hours: query.hours, now: app.clock() })
})
