// What is sent to webhooks, for the OpenAPI document: the headers and the body of each kind, with an example.

import {
  ALERT_FIRED,
  CRAWL_RUN_COMPLETED,
  CURATION_BATCH_READY,
  EVENT_BODIES,
  EVENT_FORMATS,
  EVENT_KINDS,
  type EventKind,
} from './event.ts'
import { jsonSchema, type Json } from './json-schema.ts'
import { sampleBody } from './sample-event.ts'

const SUMMARIES: Record<EventKind, string> = {
  [CRAWL_RUN_COMPLETED]: 'Once per crawl run, also when it found nothing or went wrong.',
  [ALERT_FIRED]: 'When an alert fires.',
  [CURATION_BATCH_READY]: 'When a new batch of scored opportunities is ready.',
}

const STANDARD_HEADERS = {
  'webhook-id': 'The id of the event, the same on every attempt: the idempotency key.',
  'webhook-timestamp': 'When this attempt was signed, in Unix seconds.',
  'webhook-signature':
    '`v1,<base64>`, as Standard Webhooks says; two of them, separated by a blank, for a while after a rotation.',
}

const HEADERS: Record<'A' | 'B', Record<string, string>> = {
  A: {
    'Service-Signature':
      '`v1=<hex>`: HMAC-SHA256 with the secret of the webhook over `Service-Timestamp`, a dot and the raw body.',
    'Service-Timestamp':
      'When this attempt was signed, in Unix seconds. Refuse more than 300 s of difference.',
    'Service-Event': 'The kind of the event, the same as `type`.',
    ...STANDARD_HEADERS,
  },
  B: {
    'X-Service-Signature': 'HMAC-SHA256 with the secret of the webhook over the raw body, in hex.',
    ...STANDARD_HEADERS,
  },
}

export function describeWebhooks(schemas: Json): Json {
  return Object.fromEntries(EVENT_KINDS.map((kind) => [kind, { post: describe(kind, schemas) }]))
}

function describe(kind: EventKind, schemas: Json): Json {
  const headers = Object.entries(HEADERS[EVENT_FORMATS[kind]])
  return {
    operationId: `on ${kind}`,
    tags: ['Webhooks'],
    summary: SUMMARIES[kind],
    parameters: headers.map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: jsonSchema(EVENT_BODIES[kind], 'output', schemas),
          example: exampleOf(kind),
        },
      },
    },
    responses: {
      '2XX': { description: 'Received. Any other answer, and none within 15 s, is tried again.' },
    },
  }
}

/** The same whenever the document is made. */
function exampleOf(kind: EventKind): unknown {
  const idOf = (prefix: string) => `${prefix}_01k9zq4c7v5h2m8r6t3w1x0y9b`
  const now = Date.UTC(2026, 0, 15, 12)
  return sampleBody(kind, { organizationId: idOf('org'), eventId: idOf('evt'), now, idOf })
}
