import type { Webhook as Shown } from '../contract/webhook.ts'
import { isoTime } from '../lib/iso-time.ts'
import type { Webhook } from './webhook-store.ts'

export function presentWebhook(webhook: Webhook): Shown {
  return {
    id: webhook.id,
    url: webhook.url,
    description: webhook.description,
    events: webhook.events,
    enabled: webhook.enabled,
    disabledReason: webhook.disabledReason,
    disabledAt: instant(webhook.disabledAt),
    consecutiveFailures: webhook.consecutiveFailures,
    lastSuccessAt: instant(webhook.lastSuccessAt),
    lastFailureAt: instant(webhook.lastFailureAt),
    createdAt: isoTime(webhook.createdAt),
  }
}

/** In a list, where more people look: a token in the address is not for them. */
export function presentListed(webhook: Webhook): Shown {
  return { ...presentWebhook(webhook), url: withoutValues(webhook.url) }
}

/** Of the parameters only the names. */
function withoutValues(url: string): string {
  const [address = '', query] = url.split('?', 2)
  if (query === undefined) return address
  const names = query
    .split('&')
    .map((part) => (part.includes('=') ? `${part.split('=')[0]}=…` : '…'))
  return `${address}?${names.join('&')}`
}

function instant(at: number | null): string | null {
  return at === null ? null : isoTime(at)
}
