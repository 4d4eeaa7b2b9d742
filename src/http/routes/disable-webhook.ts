import { DisableWebhook } from '../../contract/webhook.ts'
import { disableWebhook as disable } from '../../events/enable-webhook.ts'
import { expectWebhook } from '../../events/expect-webhook.ts'
import { presentWebhook } from '../../events/present-webhook.ts'
import { ownThing } from '../own-thing.ts'
import { route } from '../route.ts'

export const disableWebhook = route(DisableWebhook, async (call) => {
  const { app } = call
  const key = ownThing(call)
  await disable(app.db, key, app.clock())
  return presentWebhook(await expectWebhook(app.db, key))
})
