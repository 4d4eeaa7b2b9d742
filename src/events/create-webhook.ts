import type { NewWebhook } from '../contract/webhook.ts'
import type { Db } from '../db/database.ts'
import { newId } from '../lib/id.ts'
import { refuseBadUrl } from './refuse-bad-url.ts'
import { newWebhookSecret, sealed } from './webhook-secret.ts'
import { insertWebhook } from './webhook-store.ts'

export interface WebhookContext {
  db: Db
  /** Encrypts secrets. */
  key: Buffer
  production: boolean
  /** Whether a host may be sent to. */
  admits(hostname: string): Promise<boolean>
  now: number
}

/** What it returns is the only time the secret is seen. */
export async function createWebhook(
  context: WebhookContext,
  organizationId: string,
  { url, description, events }: NewWebhook,
): Promise<{ id: string; secret: string }> {
  const { db, key, now } = context
  await refuseBadUrl(context, url)
  const [id, secret] = [newId('whk', now), newWebhookSecret()]
  const webhook = {
    organizationId,
    id,
    url,
    description,
    events,
    enabled: true,
    disabledReason: null,
    disabledAt: null,
    consecutiveFailures: 0,
    lastSuccessAt: null,
    lastFailureAt: null,
    createdAt: now,
  }
  await insertWebhook(db, webhook, sealed(key, id, secret))
  return { id, secret }
}
