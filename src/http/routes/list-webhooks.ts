import { ListWebhooks } from '../../contract/webhook.ts'
import { presentListed } from '../../events/present-webhook.ts'
import { webhooksOf } from '../../events/webhook-store.ts'
import { callerOf, route } from '../route.ts'

export const listWebhooks = route(ListWebhooks, async (call) => {
  const webhooks = await webhooksOf(call.app.db, callerOf(call).identity.organizationId)
  return { items: webhooks.map(presentListed) }
})
