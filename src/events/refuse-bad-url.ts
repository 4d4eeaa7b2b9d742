import { AppError } from '../errors.ts'
import type { WebhookContext } from './create-webhook.ts'
import { NOT_PUBLIC } from './address-rules.ts'
import { mistakeInUrl } from './webhook-url.ts'

export async function refuseBadUrl(
  { production, admits }: Pick<WebhookContext, 'production' | 'admits'>,
  url: string,
): Promise<void> {
  const mistake = mistakeInUrl(url, { production }) ?? (await mistakeInAddress(url, admits))
  if (mistake === null) return
  const details = [{ path: 'url', message: mistake }]
  throw new AppError('INVALID_REQUEST', `A webhook cannot have this URL. ${mistake}`, { details })
}

async function mistakeInAddress(
  url: string,
  admits: WebhookContext['admits'],
): Promise<string | null> {
  return (await admits(new URL(url).hostname)) ? null : NOT_PUBLIC
}
