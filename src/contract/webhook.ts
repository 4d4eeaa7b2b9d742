// Webhooks, as the dashboard and the commands manage them.

import { z } from 'zod'
import { EventKind } from './event.ts'
import { Instant } from './fields.ts'
import { Empty, operation } from './operation.ts'

const DESCRIPTION_MAX = 500
export const ROTATION_OVERLAP_HOURS_MAX = 24

const WebhookId = z.string().startsWith('whk_')

export const Webhook = z
  .strictObject({
    id: WebhookId,
    url: z.string().describe('In a list without the values of its parameters.'),
    description: z.string(),
    events: z.array(EventKind),
    enabled: z.boolean(),
    disabledReason: z.string().nullable().describe('Why nothing is sent, in words.'),
    disabledAt: Instant.nullable(),
    consecutiveFailures: z.number().describe('It is disabled at 20.'),
    lastSuccessAt: Instant.nullable(),
    lastFailureAt: Instant.nullable(),
    createdAt: Instant,
  })
  .meta({
    id: 'Webhook',
    description: 'Where events are sent to. Its secret is never shown again.',
  })
export type Webhook = z.infer<typeof Webhook>

const Url = z
  .string()
  .trim()
  .min(1)
  .describe('An absolute http or https address; in production https.')
const Description = z.string().trim().max(DESCRIPTION_MAX)
const Events = z
  .array(EventKind)
  .min(1, 'Choose at least one event.')
  .transform((kinds) => [...new Set(kinds)])

export const NewWebhook = z.strictObject({
  url: Url,
  description: Description.default(''),
  events: Events,
})
export type NewWebhook = z.infer<typeof NewWebhook>

const WebhookChange = z
  .strictObject({
    url: Url.optional(),
    description: Description.optional(),
    events: Events.optional(),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    path: [],
    error: 'Say what to change: url, description or events.',
  })
export type WebhookChange = z.infer<typeof WebhookChange>

const access = { kind: 'session', right: 'webhooks:manage' } as const
const params = z.strictObject({ id: z.string() })
export const WebhookSecret = z
  .string()
  .startsWith('whsec_', 'Give the whole secret, whsec_… .')
  .describe('Signs deliveries. Shown this once.')

export const ListWebhooks = operation({
  id: 'listWebhooks',
  method: 'GET',
  path: '/api/webhooks',
  summary: 'The webhooks of the organization, newest first.',
  access,
  response: z.strictObject({ items: z.array(Webhook) }),
})

export const GetWebhook = operation({
  id: 'getWebhook',
  method: 'GET',
  path: '/api/webhooks/{id}',
  summary: 'One webhook.',
  access,
  params,
  response: Webhook,
  errors: ['NOT_FOUND'],
})

export const CreateWebhook = operation({
  id: 'createWebhook',
  method: 'POST',
  path: '/api/webhooks',
  summary: 'Make a webhook. The answer holds its secret, this once.',
  access,
  body: NewWebhook,
  response: z.strictObject({ id: WebhookId, secret: WebhookSecret }),
})

export const ChangeWebhook = operation({
  id: 'changeWebhook',
  method: 'PATCH',
  path: '/api/webhooks/{id}',
  summary: 'Change where a webhook leads, what it is told, or its description.',
  access,
  params,
  body: WebhookChange,
  response: Webhook,
  errors: ['NOT_FOUND'],
})

export const DeleteWebhook = operation({
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/api/webhooks/{id}',
  summary: 'Delete a webhook with its deliveries and their log.',
  access,
  params,
  response: Empty,
  errors: ['NOT_FOUND'],
})

export const RotateSecret = operation({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/api/webhooks/{id}/rotate',
  summary: 'Give a webhook a new secret, at once.',
  access,
  params,
  body: z
    .strictObject({
      overlapHours: z
        .number()
        .int()
        .min(0)
        .max(ROTATION_OVERLAP_HOURS_MAX)
        .default(0)
        .describe('How long the old secret signs the Standard Webhooks header besides.'),
    })
    .prefault({}),
  response: z.strictObject({ id: WebhookId, secret: WebhookSecret }),
  errors: ['NOT_FOUND'],
})

export const EnableWebhook = operation({
  id: 'enableWebhook',
  method: 'POST',
  path: '/api/webhooks/{id}/enable',
  summary: 'Send to a webhook again, from the next event on. What was held is not sent by itself.',
  access,
  params,
  response: Webhook,
  errors: ['NOT_FOUND'],
})

export const DisableWebhook = operation({
  id: 'disableWebhook',
  method: 'POST',
  path: '/api/webhooks/{id}/disable',
  summary: 'Send nothing more to a webhook. What happens meanwhile is held.',
  access,
  params,
  response: Webhook,
  errors: ['NOT_FOUND'],
})
