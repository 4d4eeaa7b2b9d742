// What the OpenAPI document says of the deliveries, held against the deliveries themselves.

import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { EVENT_BODIES, EVENT_KINDS, type EventKind } from '#src/contract/event.ts'
import { signedIn } from '#test/support/people.ts'
import { ENGINES } from '#test/support/place.ts'
import { receiver } from '#test/support/receiver.ts'
import { testApp } from '#test/support/test-app.ts'
import { aWebhook } from '#test/support/webhooks.ts'

type Json = Record<string, unknown>

interface Described {
  operationId: string
  summary: string
  parameters: { name: string; in: string; required: boolean; description: string; schema: Json }[]
  requestBody: {
    required: boolean
    content: { 'application/json': { schema: Json; example: Json } }
  }
  responses: Record<string, { description: string }>
}

interface Document {
  webhooks: Record<string, { post: Described }>
  paths: Record<string, Record<string, { operationId: string }>>
  components: { schemas: Record<string, Json> }
}

const STANDARD = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
const FORMAT_A = ['Service-Signature', 'Service-Timestamp', 'Service-Event', ...STANDARD]

const HEADERS: Record<EventKind, string[]> = {
  'crawl.run.completed': FORMAT_A,
  'alert.fired': FORMAT_A,
  'curation.batch.ready': ['X-Service-Signature', ...STANDARD],
}

describe.each(ENGINES)('the description of deliveries on %s', (engine) => {
  test('there is one for each kind of event, under a name of its own', async () => {
    await using home = await testApp(engine)

    const { webhooks, paths } = await documentOf(home.url)

    expect(Object.keys(webhooks)).toEqual([...EVENT_KINDS])
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
    const described = EVENT_KINDS.map((kind) => webhooks[kind]?.post ?? expect.fail(kind))
    const names = [...operations, ...described].map(({ operationId }) => operationId)
    expect(new Set(names).size).toBe(names.length)
    for (const { summary, requestBody, responses } of described) {
      expect(summary).toMatch(/\S/)
      expect(requestBody.required).toBe(true)
      expect(Object.keys(responses)).toEqual(['2XX'])
    }
  })

  test('the headers it names are those of the contract, and those that are sent', async () => {
    await using home = await testApp(engine)
    await using there = await receiver()
    const client = await signedIn(home)
    const { id } = await aWebhook(home.app, home.owner.organizationId, { url: there.url })
    const { webhooks } = await documentOf(home.url)

    for (const event of EVENT_KINDS) {
      await client.post(`/api/webhooks/${id}/test`, { event })

      const { parameters = [] } = webhooks[event]?.post ?? expect.fail(event)
      expect(parameters.map(({ name }) => name)).toEqual(HEADERS[event])
      for (const parameter of parameters) {
        expect(parameter).toMatchObject({
          in: 'header',
          required: true,
          schema: { type: 'string' },
        })
        expect(parameter.description).toMatch(/\S/)
      }
      const sent = Object.keys(there.got.at(-1)?.headers ?? {})
      const signed = sent.filter((name) => /^(x-)?service-|^webhook-/.test(name))
      expect(signed.toSorted()).toEqual(HEADERS[event].map((name) => name.toLowerCase()).toSorted())
    }
  })

  test('the schema admits its example and what is sent, and nothing more or less than that', async () => {
    await using home = await testApp(engine)
    await using there = await receiver()
    const client = await signedIn(home)
    const { id } = await aWebhook(home.app, home.owner.organizationId, { url: there.url })
    const document = await documentOf(home.url)

    for (const event of EVENT_KINDS) {
      await client.post(`/api/webhooks/${id}/test`, { event })

      const { content } = document.webhooks[event]?.post.requestBody ?? expect.fail(event)
      const { schema, example } = content['application/json']
      const published = z.fromJSONSchema(resolved(schema, document) as z.core.JSONSchema.JSONSchema)
      const sent = JSON.parse(there.got.at(-1)?.body.toString() ?? '')
      for (const body of [example, sent]) {
        expect(EVENT_BODIES[event].parse(body)).toEqual(body)
        expect(published.parse(body)).toEqual(body)
        expect(published.safeParse({ ...body, more: 1 }).success).toBe(false)
        for (const field of Object.keys(body)) {
          const { [field]: _, ...less } = body
          expect([field, published.safeParse(less).success]).toEqual([field, false])
        }
        for (const field of Object.keys(body.data)) {
          const { [field]: _, ...less } = body.data
          const without = published.safeParse({ ...body, data: less })
          expect([field, without.success]).toEqual([field, false])
        }
      }
    }
  })

  test('it is the same whenever it is asked for', async () => {
    await using home = await testApp(engine)
    await using other = await testApp(engine)

    expect(await documentOf(home.url)).toEqual(await documentOf(other.url))
  })
})

async function documentOf(url: string): Promise<Document> {
  const answer = await fetch(`${url}/openapi.json`)
  return (await answer.json()) as Document
}

/** With what it refers to inside, as a validator wants it; every reference leads somewhere. */
function resolved(schema: Json, { components }: Document): Json {
  const text = JSON.stringify({ ...schema, $defs: components.schemas })
  for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    expect(Object.keys(components.schemas)).toContain(name)
  }
  return JSON.parse(text.replaceAll('"#/components/schemas/', '"#/$defs/'))
}
