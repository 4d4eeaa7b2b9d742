import { TestWebhook } from '../../contract/delivery.ts'
import { testAttempt, presentAttempt } from '../../events/present-delivery.ts'
import { testWebhook as sendTest } from '../../events/test-webhook.ts'
import { attemptTerms } from '../../webhook-context.ts'
import { ownThing } from '../own-thing.ts'
import { route } from '../route.ts'

export const testWebhook = route(TestWebhook, async (call) => {
  const { app, body } = call
  const context = { db: app.db, engine: app.database.engine, terms: await attemptTerms(app) }
  const { deliveryId, number, outcome } = await sendTest(context, ownThing(call), body.event)
  return { deliveryId, attempt: presentAttempt(testAttempt(number, outcome)) }
})
