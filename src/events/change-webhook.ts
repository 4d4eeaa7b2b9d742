import type { WebhookChange } from '../contract/webhook.ts'
import { notFound } from '../errors.ts'
import type { WebhookContext } from './create-webhook.ts'
import { refuseBadUrl } from './refuse-bad-url.ts'
import { updateWebhook, webhookById, type Webhook, type WebhookKey } from './webhook-store.ts'

export async function changeWebhook(
  context: WebhookContext,
  key: WebhookKey,
  change: WebhookChange,
): Promise<Webhook> {
  const { db } = context
  if (change.url !== undefined) await refuseBadUrl(context, change.url)
  const isThere = await updateWebhook(db, key, change)
  const webhook = isThere ? await webhookById(db, key) : undefined
  if (webhook === undefined) throw notFound('webhook')
  return webhook
}
