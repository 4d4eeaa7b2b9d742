// What of the app the sending of events needs.

import type { App } from './app.ts'
import type { AttemptTerms } from './events/attempt.ts'
import type { WebhookContext } from './events/create-webhook.ts'

export function webhookContext({ db, webhookKey, config, clock, receivers }: App): WebhookContext {
  return {
    db,
    key: webhookKey,
    production: config.production,
    admits: async (hostname) => (await receivers()).admits(hostname),
    now: clock(),
  }
}

export async function attemptTerms(app: App): Promise<AttemptTerms> {
  const { config, clock, webhookKey } = app
  const { dispatcher } = await app.receivers()
  return {
    dispatcher,
    key: webhookKey,
    userAgent: config.webhooks.userAgent,
    production: config.production,
    now: clock,
  }
}
