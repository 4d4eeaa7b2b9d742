import type { App } from '../app.ts'
import { OperatorError } from '../errors.ts'
import { webhookByIdAlone, type WebhookKey } from '../events/webhook-store.ts'

/** A webhook's id is enough on the command line, whichever organization it belongs to. */
export async function findWebhook({ db, database }: App, id: string): Promise<WebhookKey> {
  const key = await webhookByIdAlone(db, id)
  if (key !== undefined) return key
  throw new OperatorError(
    `There is no webhook ${id} in ${database.location}. \`earshot webhooks list\` shows those there are.`,
  )
}
