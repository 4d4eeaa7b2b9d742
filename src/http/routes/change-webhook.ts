import { ChangeWebhook } from '../../contract/webhook.ts'
import { changeWebhook as change } from '../../events/change-webhook.ts'
import { presentWebhook } from '../../events/present-webhook.ts'
import { webhookContext } from '../../webhook-context.ts'
import { ownThing } from '../own-thing.ts'
import { route } from '../route.ts'

export const changeWebhook = route(ChangeWebhook, async (call) => {
  const changed = await change(webhookContext(call.app), ownThing(call), call.body)
  return presentWebhook(changed)
})
