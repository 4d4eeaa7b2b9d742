import { CreateWebhook } from '../../contract/webhook.ts'
import { createWebhook as create } from '../../events/create-webhook.ts'
import { webhookContext } from '../../webhook-context.ts'
import { callerOf, route } from '../route.ts'

export const createWebhook = route(CreateWebhook, (call) =>
  create(webhookContext(call.app), callerOf(call).identity.organizationId, call.body),
)
