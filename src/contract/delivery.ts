// The delivery log.

import { z } from 'zod'
import { Beginning, End } from './day-or-instant.ts'
import { EventKind } from './event.ts'
import { Instant, wholeNumberText } from './fields.ts'
import { operation } from './operation.ts'
import { beginsBeforeItEnds, ENDS_FIRST } from './record-filter.ts'
import { NextCursor } from './record.ts'

const LIMIT_DEFAULT = 20
const LIMIT_MAX = 100
const STATUS_MIN = 100
const STATUS_MAX = 599

const DeliveryState = z
  .enum(['pending', 'sending', 'delivered', 'retrying', 'failed', 'held'])
  .meta({
    id: 'DeliveryState',
    description:
      '`retrying` waits for its next attempt, `failed` has used them up, `held` waits for its webhook to be enabled and for somebody to redeliver it.',
  })
export type DeliveryState = z.infer<typeof DeliveryState>

export const Attempt = z
  .strictObject({
    number: z.number().describe('From 1 on, over all redeliveries.'),
    outcome: z
      .enum(['delivered', 'failed', 'interrupted'])
      .describe('`interrupted`: the process ended before the answer was known; it was sent again.'),
    statusCode: z.number().nullable(),
    error: z.string().nullable().describe('What went wrong, in words.'),
    responseSnippet: z.string().describe('The beginning of the answer.'),
    durationMs: z.number(),
    at: Instant,
    test: z.boolean().describe('Whether it was a sample that somebody asked for.'),
  })
  .meta({ id: 'Attempt' })
export type Attempt = z.infer<typeof Attempt>

export const Delivery = z
  .strictObject({
    id: z.string().startsWith('dlv_'),
    webhookId: z.string().startsWith('whk_'),
    eventId: z.string().startsWith('evt_'),
    eventKind: EventKind,
    test: z.boolean(),
    state: DeliveryState,
    attempts: z.number(),
    lastStatusCode: z.number().nullable(),
    lastError: z.string().nullable(),
    lastAttemptAt: Instant.nullable(),
    nextAttemptAt: Instant.nullable(),
    createdAt: Instant,
  })
  .meta({ id: 'Delivery', description: 'One event for one webhook.' })
export type Delivery = z.infer<typeof Delivery>

const DeliveryDetails = Delivery.extend({
  body: z.string().describe('The bytes that are sent, as text.'),
  log: z.array(Attempt),
})

const access = { kind: 'session', right: 'webhooks:manage' } as const
const params = z.strictObject({ id: z.string() })

export const DeliveryFilters = z.strictObject({
  webhook: z.string().optional(),
  state: DeliveryState.optional(),
  status: wholeNumberText(STATUS_MIN, STATUS_MAX)
    .optional()
    .describe('The status code of the last attempt.'),
  event: EventKind.optional(),
  from: Beginning.optional().describe('Created at this time or later.'),
  to: End.optional().describe('Created at this time or earlier.'),
  limit: wholeNumberText(1, LIMIT_MAX).default(LIMIT_DEFAULT),
  cursor: z.string().optional(),
})

const DeliveryQuery = DeliveryFilters.refine(beginsBeforeItEnds, ENDS_FIRST)
export type DeliveryQuery = z.infer<typeof DeliveryQuery>

export const ListDeliveries = operation({
  id: 'listDeliveries',
  method: 'GET',
  path: '/api/deliveries',
  summary: 'The delivery log, newest first.',
  access,
  query: DeliveryQuery,
  response: z.strictObject({ items: z.array(Delivery), nextCursor: NextCursor }),
  errors: ['INVALID_CURSOR'],
})

export const GetDelivery = operation({
  id: 'getDelivery',
  method: 'GET',
  path: '/api/deliveries/{id}',
  summary: 'One delivery with all its attempts.',
  access,
  params,
  response: DeliveryDetails,
  errors: ['NOT_FOUND'],
})

export const Redeliver = operation({
  id: 'redeliver',
  method: 'POST',
  path: '/api/deliveries/{id}/redeliver',
  summary: 'Send a delivery again at once: the same bytes, the same event id.',
  access,
  params,
  response: Delivery,
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const TestWebhook = operation({
  id: 'testWebhook',
  method: 'POST',
  path: '/api/webhooks/{id}/test',
  summary: 'Send a sample at once and tell what the receiver answered.',
  access,
  params,
  body: z.strictObject({ event: EventKind.optional() }).prefault({}),
  response: z.strictObject({ deliveryId: z.string().startsWith('dlv_'), attempt: Attempt }),
  errors: ['NOT_FOUND'],
})

const Redelivery = z
  .strictObject({
    id: z.string().startsWith('rdl_'),
    webhookId: z.string().startsWith('whk_'),
    since: Instant,
    total: z.number().describe('How many there were to redeliver.'),
    done: z.number().describe('How many of them are on their way again.'),
    createdAt: Instant,
    finishedAt: Instant.nullable(),
  })
  .meta({ id: 'Redelivery' })
export type Redelivery = z.infer<typeof Redelivery>

export const RedeliverAll = operation({
  id: 'redeliverAll',
  method: 'POST',
  path: '/api/webhooks/{id}/redeliver',
  summary: 'Send everything again that failed or was held since a time, in the background.',
  access,
  params,
  body: z.strictObject({ since: Beginning }),
  response: Redelivery,
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const GetRedelivery = operation({
  id: 'getRedelivery',
  method: 'GET',
  path: '/api/redeliveries/{id}',
  summary: 'How far the redelivery of everything has come.',
  access,
  params,
  response: Redelivery,
  errors: ['NOT_FOUND'],
})

const HealthBucket = z.strictObject({
  from: Instant,
  delivered: z.number(),
  failed: z.number(),
})

export const WebhookHealth = z
  .strictObject({
    successRate: z.number().min(0).max(1).nullable().describe('Null when nothing was sent.'),
    attempts: z.number(),
    p50Ms: z.number().nullable(),
    p95Ms: z.number().nullable(),
    consecutiveFailures: z.number(),
    lastSuccessAt: Instant.nullable(),
    waiting: z.number().describe('Deliveries that are to be sent.'),
    held: z.number(),
    overTime: z.array(HealthBucket).describe('By hour, the oldest first.'),
  })
  .meta({ id: 'WebhookHealth' })
export type WebhookHealth = z.infer<typeof WebhookHealth>

const HOURS_MAX = 720
const HOURS_DEFAULT = 24

export const GetWebhookHealth = operation({
  id: 'getWebhookHealth',
  method: 'GET',
  path: '/api/webhooks/{id}/health',
  summary: 'How a webhook has been doing.',
  access,
  params,
  query: z.strictObject({ hours: wholeNumberText(1, HOURS_MAX).default(HOURS_DEFAULT) }),
  response: WebhookHealth,
  errors: ['NOT_FOUND'],
})
