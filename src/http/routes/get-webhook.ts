import { GetWebhook } from '../../contract/webhook.ts'
import { presentWebhook } from '../../events/present-webhook.ts'
import { expectWebhook } from '../../events/expect-webhook.ts'
import { ownThing } from '../own-thing.ts'
import { route } from '../route.ts'

export const getWebhook = route(GetWebhook, async (call) =>
  presentWebhook(await expectWebhook(call.app.db, ownThing(call))),
)
