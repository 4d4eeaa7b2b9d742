// The OpenAPI 3.1 document, made from the operations and nothing else.

import { z } from 'zod'
import type { ErrorCode } from '../errors.ts'
import { SESSION_COOKIE, sessionPathOf } from './access.ts'
import { ErrorEnvelope, STATUS_OF } from './error.ts'
import { jsonSchema, type Json } from './json-schema.ts'
import { describeWebhooks } from './openapi-webhooks.ts'
import { NoBody, Nothing, type Operation } from './operation.ts'

/** What any operation may answer, whatever it does. */
const ALWAYS: readonly ErrorCode[] = ['INVALID_REQUEST', 'INTERNAL', 'OVERLOADED', 'UNAVAILABLE']
const WITH_CALLER: readonly ErrorCode[] = ['UNAUTHORIZED', 'FORBIDDEN']
const WITH_BODY: readonly ErrorCode[] = [
  'MALFORMED_JSON',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
]

export function openApiDocument(operations: readonly Operation[], version: string): Json {
  const schemas: Json = {}
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    for (const { path, id, security } of doorsOf(operation)) {
      const described = { ...describe(operation, schemas), operationId: id, security }
      paths[path] = { ...paths[path], [operation.method.toLowerCase()]: described }
    }
  }
  const webhooks = describeWebhooks(schemas)
  schemas['Error'] = jsonSchema(ErrorEnvelope, 'output', schemas)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Earshot',
      version,
      description:
        'Watches channels of discussion platforms, keeps what it finds as searchable records, and pushes signed webhooks. The API takes a key; the dashboard uses the same operations below `/api` with a session.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'API', description: 'For programs, with an API key.' },
      { name: 'Dashboard', description: 'For the web dashboard, with a session.' },
      { name: 'Webhooks', description: 'What is sent to your receivers, signed.' },
    ],
    paths,
    webhooks,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key: `ear_…`.' },
        session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE },
      },
    },
  }
}

function doorsOf({ access, path, id }: Operation) {
  const bySession = [{ session: [] }]
  switch (access.kind) {
    case 'public':
      return [{ path, id, security: [] }]
    case 'session':
      return [{ path, id, security: bySession }]
    case 'api':
      return [
        { path, id, security: [{ key: access.scope === null ? [] : [access.scope] }] },
        { path: sessionPathOf(path), id: `${id}BySession`, security: bySession },
      ]
  }
}

function describe(operation: Operation, schemas: Json): Json {
  const { summary, access, body } = operation
  const parameters = [
    ...parametersOf(operation.params, 'path', schemas),
    ...parametersOf(operation.query, 'query', schemas),
  ]
  return {
    tags: [access.kind === 'api' ? 'API' : 'Dashboard'],
    summary,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(Object.is(body, NoBody)
      ? {}
      : {
          requestBody: {
            required: !body.safeParse(undefined).success,
            content: asJson(jsonSchema(body, 'input', schemas)),
          },
        }),
    responses: responsesOf(operation, schemas),
  }
}

function parametersOf(schema: z.ZodType, place: 'path' | 'query', schemas: Json): Json[] {
  if (Object.is(schema, Nothing)) return []
  const { properties = {}, required = [] } = jsonSchema(schema, 'input', schemas) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(rest['type'] === 'array' ? { style: 'form', explode: false } : {}),
    ...(description === undefined ? {} : { description }),
    schema: rest,
  }))
}

function responsesOf(operation: Operation, schemas: Json): Json {
  const envelope = z.strictObject({ success: z.literal(true), data: operation.response })
  const success = {
    description: 'The answer.',
    content: asJson(jsonSchema(envelope, 'output', schemas)),
  }
  const failures = Map.groupBy(codesOf(operation), (code) => STATUS_OF[code])
  return {
    200: success,
    ...Object.fromEntries(
      [...failures].map(([status, codes]) => [
        status,
        {
          description: codes.map((code) => `\`${code}\``).join(', '),
          content: asJson({ $ref: '#/components/schemas/Error' }),
        },
      ]),
    ),
  }
}

function codesOf({ access, body, errors }: Operation): ErrorCode[] {
  const codes = [
    ...ALWAYS,
    ...(access.kind === 'public' ? [] : WITH_CALLER),
    ...(access.kind === 'api' ? (['RATE_LIMITED'] as const) : []),
    ...(Object.is(body, NoBody) ? [] : WITH_BODY),
    ...errors,
  ]
  return [...new Set(codes)].sort((a, b) => STATUS_OF[a] - STATUS_OF[b])
}

function asJson(schema: Json): Json {
  return { 'application/json': { schema } }
}
