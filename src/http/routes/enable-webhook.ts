import { EnableWebhook } from '../../contract/webhook.ts'
import { enableWebhook as enable } from '../../events/enable-webhook.ts'
import { expectWebhook } from '../../events/expect-webhook.ts'
import { presentWebhook } from '../../events/present-webhook.ts'
import { ownThing } from '../own-thing.ts'
import { route } from '../route.ts'

export const enableWebhook = route(EnableWebhook, async (call) => {
  const key = ownThing(call)
  await enable(call.app.db, key)
  return presentWebhook(await expectWebhook(call.app.db, key))
})
