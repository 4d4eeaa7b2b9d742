import type { Webhook as Shown } from '../contract/webhook.ts'
import { isoTime, isoTimeOrNull } from '../lib/iso-time.ts'
import type { Webhook } from './webhook-store.ts'

export function presentWebhook(webhook: Webhook): Shown {
  return {
    id: webhook.id,
    url: webhook.url,
    description: webhook.description,
    events: webhook.events,
    enabled: webhook.enabled,
    disabledReason: webhook.disabledReason,
    disabledAt: isoTimeOrNull(webhook.disabledAt),
    consecutiveFailures: webhook.consecutiveFailures,
    lastSuccessAt: isoTimeOrNull(webhook.lastSuccessAt),
    lastFailureAt: isoTimeOrNull(webhook.lastFailureAt),
    createdAt: isoTime(webhook.createdAt),
  }
}

/** In a list, where more people look: a token in the address is not for them. */
export function presentListed(webhook: Webhook): Shown {
  return { ...presentWebhook(webhook), url: withoutValues(webhook.url) }
}

/** Of the parameters only the names; of what has none, nothing. */
function withoutValues(url: string): string {
  // No door lets a password in; should there be one nevertheless, it is not shown.
  const [address = '', query] = url.replace(/\/\/[^/?]*@/, '//…@').split('?', 2)
  if (query === undefined) return address
  return `${address}?${query.split('&').map(nameOf).join('&')}`
}

function nameOf(parameter: string): string {
  const [, name] = /^([^=]+)=[^=]/.exec(parameter) ?? []
  return name === undefined ? '…' : `${name}=…`
}
