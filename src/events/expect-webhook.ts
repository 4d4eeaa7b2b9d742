import type { Db } from '../db/database.ts'
import { notFound } from '../errors.ts'
import { webhookById, type Webhook, type WebhookKey } from './webhook-store.ts'

export async function expectWebhook(db: Db, key: WebhookKey): Promise<Webhook> {
  const webhook = await webhookById(db, key)
  if (webhook === undefined) throw notFound('webhook')
  return webhook
}
