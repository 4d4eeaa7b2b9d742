// Whoever knows the secret of a webhook can make what looks like our deliveries: it is told to whoever
// made it, this once.

import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { TestWebhook } from '#src/contract/delivery.ts'
import { CreateWebhook, RotateSecret } from '#src/contract/webhook.ts'
import { hours, minutes } from '#src/lib/duration.ts'
import { dataOf, invalidPaths } from '#test/support/answers.ts'
import { expectFailure, type Client } from '#test/support/client.ts'
import { signedIn } from '#test/support/people.ts'
import { ENGINES } from '#test/support/place.ts'
import { receiver, type Received, type Receiver } from '#test/support/receiver.ts'
import { testApp, type TestApp } from '#test/support/test-app.ts'
import { linesOf, storedText } from '#test/support/traces.ts'

describe.each(ENGINES)('secrets of webhooks on %s', (engine) => {
  test('a secret is 32 random bytes, another one each time', async () => {
    await using app = await testApp(engine)
    await using there = await receiver()
    const owner = await signedIn(app)

    const made = [await created(owner, there), await created(owner, there)]
    const rotated = dataOf(await rotate(owner, made[0]?.id ?? ''), RotateSecret)

    const secrets = [...made, rotated].map(({ secret }) => secret)
    expect(new Set(secrets).size).toBe(3)
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_/)
      const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64')
      expect(bytes).toHaveLength(32)
      expect(secret).toBe(`whsec_${bytes.toString('base64')}`)
    }
  })

  test('it is in no other answer, no log line, and not in the database in the clear', async () => {
    await using app = await testApp(engine)
    await using there = await receiver()
    const owner = await signedIn(app)
    const { id, secret } = await created(owner, there, '?token=s3cret')
    const rotated = dataOf(await rotate(owner, id, { overlapHours: 24 }), RotateSecret)

    const answers = [
      await owner.post(`/api/webhooks/${id}/test`, {}),
      await owner.send('PATCH', `/api/webhooks/${id}`, { body: { description: 'new' } }),
      await owner.send('POST', `/api/webhooks/${id}/disable`),
      await owner.send('POST', `/api/webhooks/${id}/enable`),
      await owner.get(`/api/webhooks/${id}`),
      await owner.get(`/api/webhooks/${id}/health`),
      await owner.get('/api/webhooks'),
      await owner.get('/api/deliveries'),
    ]

    const { deliveryId } = dataOf(answers[0] ?? expect.fail(), TestWebhook)
    answers.push(await owner.get(`/api/deliveries/${deliveryId}`))
    await linesOf(app, answers.at(-1) ?? expect.fail())
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const told = JSON.stringify(answers.map(({ body }) => body))
    const traces = [told, app.log(), await storedText(app)]
    for (const text of traces) {
      for (const known of [secret, rotated.secret]) {
        expect(text).not.toContain(known.slice('whsec_'.length))
        const bytes = Buffer.from(known.slice('whsec_'.length), 'base64')
        expect(text).not.toContain(bytes.toString('hex'))
        expect(text).not.toContain(Buffer.from(known).toString('base64').slice(0, -4))
      }
    }
    expect(told).not.toContain('whsec_')
    expect(app.log()).toContain('/api/webhooks/:id/rotate')
    expect(app.log()).not.toMatch(/whsec_|s3cret/)
  })

  describe('rotating', () => {
    test('answers with the new secret, which signs alone from then on', async () => {
      await using app = await testApp(engine)
      await using there = await receiver()
      const owner = await signedIn(app)
      const { id, secret } = await created(owner, there)

      const before = await sent(owner, there, id)
      const answer = await rotate(owner, id)
      const after = await sent(owner, there, id)

      expect(answer.body.data).toEqual({ id, secret: expect.any(String) })
      const fresh = dataOf(answer, RotateSecret).secret
      expect(before.headers['service-signature']).toBe(signatureA(before, secret))
      expect(before.headers['webhook-signature']).toBe(standard(before, secret))
      expect(after.headers['service-signature']).toBe(signatureA(after, fresh))
      expect(after.headers['webhook-signature']).toBe(standard(after, fresh))
    })

    test('with an overlap the old one signs besides for so long, in the standard header only', async () => {
      await using app = await testApp(engine)
      await using there = await receiver()
      const owner = await signedIn(app)
      const { id, secret } = await created(owner, there)

      const { secret: fresh } = dataOf(await rotate(owner, id, { overlapHours: 2 }), RotateSecret)
      const during = await sentAfter(app, hours(2) - minutes(1), () => sent(owner, there, id))
      const after = await sentAfter(app, minutes(1), () => sent(owner, there, id))

      expect(during.headers['service-signature']).toBe(signatureA(during, fresh))
      const both = [standard(during, fresh), standard(during, secret)]
      expect(String(during.headers['webhook-signature']).split(' ')).toEqual(both)
      expect(after.headers['webhook-signature']).toBe(standard(after, fresh))
    })

    test('without an overlap an older one that still signed does not any more', async () => {
      await using app = await testApp(engine)
      await using there = await receiver()
      const owner = await signedIn(app)
      const { id } = await created(owner, there)

      await rotate(owner, id, { overlapHours: 24 })
      const { secret } = dataOf(await rotate(owner, id, { overlapHours: 0 }), RotateSecret)
      const got = await sent(owner, there, id)

      expect(got.headers['webhook-signature']).toBe(standard(got, secret))
    })

    test('an overlap is a whole number of hours from 0 to 24', async () => {
      await using app = await testApp(engine)
      await using there = await receiver()
      const owner = await signedIn(app)
      const { id, secret } = await created(owner, there)
      const bodies: [body: unknown, paths: string[]][] = [
        [{ overlapHours: -1 }, ['overlapHours']],
        [{ overlapHours: 25 }, ['overlapHours']],
        [{ overlapHours: 1.5 }, ['overlapHours']],
        [{ overlapHours: '1' }, ['overlapHours']],
        [{ overlapHours: null }, ['overlapHours']],
        [{ overlap: 1, secret: 'whsec_mine' }, ['overlap', 'secret']],
      ]

      for (const [body, paths] of bodies) {
        const answer = await rotate(owner, id, body)
        expectFailure(answer, 400, 'INVALID_REQUEST')
        expect(invalidPaths(answer)).toEqual(paths)
      }

      const got = await sent(owner, there, id)
      expect(got.headers['service-signature']).toBe(signatureA(got, secret))
      for (const overlapHours of [0, 24]) {
        expect((await rotate(owner, id, { overlapHours })).status).toBe(200)
      }
    })
  })
})

function rotate(client: Client, id: string, body?: unknown) {
  return client.send('POST', `/api/webhooks/${id}/rotate`, { body })
}

async function created(client: Client, { url }: Receiver, query = '') {
  const wanted = { url: url + query, events: ['crawl.run.completed'] }
  return dataOf(await client.post('/api/webhooks', wanted), CreateWebhook)
}

/** What the receiver gets of a test. */
async function sent(client: Client, there: Receiver, id: string): Promise<Received> {
  dataOf(await client.send('POST', `/api/webhooks/${id}/test`), TestWebhook)
  return there.got.at(-1) ?? expect.fail('nothing came')
}

async function sentAfter(app: TestApp, ms: number, send: () => Promise<Received>) {
  app.advance(ms)
  return send()
}

function signatureA({ headers, body }: Received, secret: string): string {
  const timestamp = String(headers['service-timestamp'])
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`
}

function standard({ headers, body }: Received, secret: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const before = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`
  return `v1,${createHmac('sha256', key).update(before).update(body).digest('base64')}`
}
