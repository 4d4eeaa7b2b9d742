// Deliveries as a receiver gets them, verified without any code of ours: with plain node:crypto on the
// bytes that came, and with the official library of Standard Webhooks.

import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import type { App } from '#src/app.ts'
import { EVENT_KINDS, type EventKind } from '#src/contract/event.ts'
import type { StoredEvent } from '#src/events/event-store.ts'
import { rotateSecret } from '#src/events/rotate-secret.ts'
import { sampleEvent } from '#src/events/sample-event.ts'
import { tell } from '#src/events/tell.ts'
import { startSender } from '#src/jobs/sender.ts'
import { hours, minutes } from '#src/lib/duration.ts'
import { webhookContext } from '#src/webhook-context.ts'
import { ENGINES } from '#test/support/place.ts'
import { receiver, type Received, type Receiver } from '#test/support/receiver.ts'
import { testApp } from '#test/support/test-app.ts'
import { aWebhook, deliveryIn, eventually, type MadeWebhook } from '#test/support/webhooks.ts'

const FORMAT_B = 'curation.batch.ready'

/** Of one to four bytes each, with what some JSON writers escape and others do not. */
const FOREIGN = 'Größe 日本語 🦊👩‍👩‍👧 \u2028 </script> é'

const HEADERS_OF_A = ['service-event', 'service-signature', 'service-timestamp']
const HEADERS_OF_B = ['x-service-signature']
const USUAL_HEADERS = [
  'connection',
  'content-length',
  'content-type',
  'host',
  'user-agent',
  'webhook-id',
  'webhook-signature',
  'webhook-timestamp',
]

/** What the library says. */
const NO_MATCH = 'No matching signature'

describe.each(ENGINES)('a delivery on %s', (engine) => {
  test('is the bytes of its event, signed in the format of its kind and as Standard Webhooks says', async () => {
    await using home = await testApp(engine)
    await using there = await receiver()
    const { app, owner } = home
    const { secret } = await aWebhook(app, owner.organizationId, { url: there.url })
    await using _sender = await startSender(app)

    for (const kind of EVENT_KINDS) {
      const event = await toldInForeignWords(app, owner.organizationId, kind)

      const got = await requestOf(there, event)
      const payload = JSON.parse(got.body.toString())
      expect(got.body.equals(Buffer.from(event.body))).toBe(true)
      expect([payload.type ?? payload.event, payload.id ?? payload.event_id]).toEqual([
        kind,
        event.id,
      ])
      expect([isFormatA(got, secret), isFormatB(got, secret)]).toEqual(
        kind === FORMAT_B ? [false, true] : [true, false],
      )
      expect(isStandard(got, secret)).toBe(true)
      const library = new StandardWebhook(secret)
      expect(library.verify(got.body, textHeaders(got))).toEqual(payload)
    }
  })

  test('has the headers of its format and no others', async () => {
    await using home = await testApp(engine)
    await using there = await receiver()
    const { app, owner } = home
    await aWebhook(app, owner.organizationId, { url: there.url })
    await using _sender = await startSender(app)

    for (const kind of EVENT_KINDS) {
      const event = await toldInForeignWords(app, owner.organizationId, kind)

      const { method, headers, body } = await requestOf(there, event)
      const ofFormat = kind === FORMAT_B ? HEADERS_OF_B : HEADERS_OF_A
      expect(Object.keys(headers).toSorted()).toEqual([...USUAL_HEADERS, ...ofFormat].toSorted())
      expect(method).toBe('POST')
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(event.body)),
        'user-agent': `Earshot/${versionInManifest()}`,
        'webhook-id': event.id,
      })
      if (kind === FORMAT_B) continue
      expect(headers['service-event']).toBe(JSON.parse(body.toString()).type)
      expect(headers['service-timestamp']).toMatch(/^\d{10}$/)
      expect(headers['service-timestamp']).toBe(headers['webhook-timestamp'])
    }
  })

  test('does not verify with one changed byte, another time or another id', async () => {
    await using home = await testApp(engine)
    await using there = await receiver()
    const { app, owner } = home
    const { secret } = await aWebhook(app, owner.organizationId, { url: there.url })
    const library = new StandardWebhook(secret)
    await using _sender = await startSender(app)

    for (const kind of EVENT_KINDS) {
      const event = await toldInForeignWords(app, owner.organizationId, kind)

      const got = await requestOf(there, event)
      const headers = textHeaders(got)
      const changed = { ...got, body: Buffer.from(got.body) }
      const middle = got.body.indexOf('日')
      changed.body.writeUInt8(got.body.readUInt8(middle) ^ 1, middle)
      expect(isOfFormat(got, kind, secret)).toBe(true)
      expect(isOfFormat(changed, kind, secret)).toBe(false)
      expect(() => library.verify(changed.body, headers)).toThrow(NO_MATCH)
      const later = String(Number(headers['webhook-timestamp']) + 1)
      const moved = { ...headers, 'webhook-timestamp': later, 'service-timestamp': later }
      expect(() => library.verify(got.body, moved)).toThrow(NO_MATCH)
      expect(isFormatA({ ...got, headers: moved }, secret)).toBe(false)
      const renamed = { ...headers, 'webhook-id': 'evt_another' }
      expect(() => library.verify(got.body, renamed)).toThrow(NO_MATCH)
    }
  })

  test('is signed anew at each attempt, over the same bytes', async () => {
    await using home = await testApp(engine)
    await using there = await receiver((response, _got, count) => {
      response.writeHead(count === 1 ? 503 : 200).end()
    })
    const { app, owner } = home
    const webhook = await aWebhook(app, owner.organizationId, { url: there.url })
    await using _sender = await startSender(app)

    const event = await toldInForeignWords(app, owner.organizationId, 'crawl.run.completed')
    await deliveryIn(app, webhook, 'retrying')
    home.advance(minutes(1))
    await deliveryIn(app, webhook, 'delivered')

    const [first, second] = [await requestOf(there, event), await requestOf(there, event, 2)]
    expect(second.body.equals(first.body)).toBe(true)
    const [before, after] = [first, second].map(({ headers }) => headers['service-timestamp'])
    expect(Number(after)).toBeGreaterThanOrEqual(Number(before) + 60)
    expect(second.headers['service-signature']).not.toBe(first.headers['service-signature'])
    expect(isFormatA(first, webhook.secret)).toBe(true)
    expect(isFormatA(second, webhook.secret)).toBe(true)
    expect(isStandard(second, webhook.secret)).toBe(true)
  })
})

describe.each(ENGINES)('after a rotation on %s', (engine) => {
  test('with overlap the old secret verifies by the Standard Webhooks header only, until its time is over', async () => {
    await using home = await testApp(engine)
    await using there = await receiver()
    const { app, owner } = home
    const webhook = await aWebhook(app, owner.organizationId, { url: there.url })
    await using _sender = await startSender(app)
    const { secret } = await rotateSecret(webhookContext(app), webhook, { overlapHours: 24 })

    for (const kind of EVENT_KINDS) {
      const event = await toldInForeignWords(app, owner.organizationId, kind)

      const got = await requestOf(there, event)
      expect(isOfFormat(got, kind, secret)).toBe(true)
      expect(isOfFormat(got, kind, webhook.secret)).toBe(false)
      for (const known of [secret, webhook.secret]) {
        expect(isStandard(got, known)).toBe(true)
        const library = new StandardWebhook(known)
        expect(() => library.verify(got.body, textHeaders(got))).not.toThrow()
      }
    }

    home.advance(hours(24))
    await expectOnly(app, there, { webhook, secret })
  })

  test('without overlap the old secret verifies nowhere, at once', async () => {
    await using home = await testApp(engine)
    await using there = await receiver()
    const { app, owner } = home
    const webhook = await aWebhook(app, owner.organizationId, { url: there.url })
    await using _sender = await startSender(app)
    const { secret } = await rotateSecret(webhookContext(app), webhook, { overlapHours: 0 })

    await expectOnly(app, there, { webhook, secret })
  })

  test('a second one with overlap leaves nothing of the first secret', async () => {
    await using home = await testApp(engine)
    await using there = await receiver()
    const { app, owner } = home
    const webhook = await aWebhook(app, owner.organizationId, { url: there.url })
    await using _sender = await startSender(app)

    const terms = { overlapHours: 24 }
    const second = await rotateSecret(webhookContext(app), webhook, terms)
    const third = await rotateSecret(webhookContext(app), webhook, terms)
    const event = await toldInForeignWords(app, owner.organizationId, 'alert.fired')

    const got = await requestOf(there, event)
    const secrets = [webhook.secret, second.secret, third.secret]
    expect(secrets.map((secret) => isStandard(got, secret))).toEqual([false, true, true])
    expect(secrets.map((secret) => isFormatA(got, secret))).toEqual([false, false, true])
  })
})

async function toldInForeignWords(app: App, organizationId: string, kind: EventKind) {
  const sample = sampleEvent(organizationId, kind, app.clock())
  const words = JSON.stringify(FOREIGN).slice(1, -1)
  const event = { ...sample, body: sample.body.replaceAll('selfhosted', words) }
  expect(event.body).toContain('🦊')
  await app.db.transaction().execute((trx) => tell(trx, [event]))
  return event
}

/** The first time that it came, or the second. */
async function requestOf({ got }: Receiver, { id }: StoredEvent, time = 1): Promise<Received> {
  return eventually(() => {
    const received = got.filter(({ headers }) => headers['webhook-id'] === id)[time - 1]
    if (received === undefined) throw new Error('it has not come yet')
    return received
  })
}

function versionInManifest(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return JSON.parse(manifest).version
}

function isOfFormat(received: Received, kind: EventKind, secret: string): boolean {
  return kind === FORMAT_B ? isFormatB(received, secret) : isFormatA(received, secret)
}

function isFormatA({ headers, body }: Received, secret: string): boolean {
  const signed = Buffer.concat([Buffer.from(`${headers['service-timestamp']}.`), body])
  const digest = createHmac('sha256', Buffer.from(secret, 'utf8')).update(signed).digest('hex')
  return headers['service-signature'] === `v1=${digest}`
}

function isFormatB({ headers, body }: Received, secret: string): boolean {
  const digest = createHmac('sha256', Buffer.from(secret, 'utf8')).update(body).digest('hex')
  return headers['x-service-signature'] === digest
}

function isStandard({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const before = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`
  const signed = Buffer.concat([Buffer.from(before), body])
  const digest = createHmac('sha256', key).update(signed).digest('base64')
  return String(headers['webhook-signature']).split(' ').includes(`v1,${digest}`)
}

function textHeaders({ headers }: Received): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

/** Of every kind: the new secret verifies it everywhere, and the one before nowhere. */
async function expectOnly(
  app: App,
  there: Receiver,
  { webhook, secret }: { webhook: MadeWebhook; secret: string },
): Promise<void> {
  for (const kind of EVENT_KINDS) {
    const event = await toldInForeignWords(app, webhook.organizationId, kind)

    const got = await requestOf(there, event)
    expect(isOfFormat(got, kind, secret)).toBe(true)
    expect(isStandard(got, secret)).toBe(true)
    expect(isOfFormat(got, kind, webhook.secret)).toBe(false)
    expect(isStandard(got, webhook.secret)).toBe(false)
  }
}
