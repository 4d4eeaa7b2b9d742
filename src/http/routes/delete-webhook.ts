import { DeleteWebhook } from '../../contract/webhook.ts'
import { deleteWebhook as remove } from '../../events/enable-webhook.ts'
import { ownThing } from '../own-thing.ts'
import { route } from '../route.ts'

export const deleteWebhook = route(DeleteWebhook, async (call) => {
  await remove(call.app.db, ownThing(call), call.app.clock())
  return {}
})
