import { notFound } from '../errors.ts'
import { hours } from '../lib/duration.ts'
import type { WebhookContext } from './create-webhook.ts'
import { newWebhookSecret, sealed } from './webhook-secret.ts'
import { changeSecrets, sealedSecretsOf, type WebhookKey } from './webhook-store.ts'

/** The new secret signs from now on; the old one may sign besides for a while, where there is room for two. */
export async function rotateSecret(
  { db, key, now }: WebhookContext,
  webhook: WebhookKey,
  { overlapHours }: { overlapHours: number },
): Promise<{ id: string; secret: string }> {
  const secret = newWebhookSecret()
  await db.transaction().execute(async (trx) => {
    const before = await sealedSecretsOf(trx, webhook)
    if (before === undefined) throw notFound('webhook')
    const overlaps = overlapHours > 0
    await changeSecrets(trx, webhook, {
      secret: sealed(key, webhook.id, secret),
      previousSecret: overlaps ? before.secret : null,
      previousSecretUntil: overlaps ? now + hours(overlapHours) : null,
    })
  })
  return { id: webhook.id, secret }
}
