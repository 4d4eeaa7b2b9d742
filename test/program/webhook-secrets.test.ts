import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { App } from '#src/app.ts'
import { Client } from '#test/support/client.ts'
import { ENGINES, type Place } from '#test/support/place.ts'
import { earshot, startService } from '#test/support/program.ts'
import { answering, receiver } from '#test/support/receiver.ts'
import { OWNER, testApp } from '#test/support/test-app.ts'
import { aWebhook, deliveryIn, told, type MadeWebhook } from '#test/support/webhooks.ts'

const TOKEN = 'tok-hunter2'
const PASSWORD = 'swordfish'
const RUNS = 'crawl.run.completed'

interface Made {
  id: string
  secret: string
}

describe.concurrent.each(ENGINES)('webhook secrets on %s', (engine) => {
  test('are in no log and no list, nor are tokens in URLs, whatever becomes of a delivery', async () => {
    await using home = await testApp(engine)
    await using fine = await receiver()
    await using broken = await receiver(answering(500, 'no'))
    const { app, place, owner } = home
    const to = (url: string) =>
      aWebhook(app, owner.organizationId, { url: `${url}?token=${TOKEN}`, events: [RUNS] })
    const [good, bad] = [await to(fine.url), await to(broken.url)]
    const absent = await to('http://127.0.0.1:9/hook')
    await using service = await startService(place, 'all', { LOG_LEVEL: 'trace' })
    const client = new Client(service.url)
    await client.signIn(OWNER)

    await told(app, owner.organizationId)
    await deliveryIn(app, good, 'delivered')
    await deliveryIn(app, bad, 'retrying')
    await deliveryIn(app, absent, 'retrying')
    const body = { url: `${fine.url}?token=${TOKEN}`, events: [RUNS] }
    const answers = [
      await client.post('/api/webhooks', body),
      await client.post(`/api/webhooks/${good.id}/rotate`, { overlapHours: 1 }),
      await client.post(`/api/webhooks/${bad.id}/test`, {}),
      await client.post('/api/webhooks', { ...body, url: `http://me:${PASSWORD}@example.com/` }),
    ]
    const lists = await listsOf(place, client)
    await service.stop('SIGTERM')

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 400])
    const made = answers.slice(0, 2).map((answer) => answer.body.data as unknown as Made)
    const secrets = [good, bad, absent, ...made].map(({ secret }) => secret.slice('whsec_'.length))
    expect(secrets.filter((secret) => !/^[A-Za-z0-9+/]{43}=$/.test(secret))).toEqual([])
    const ofInstallation = (await readFile(join(place.dataDirectory, 'secret'), 'utf8')).trim()
    const hidden = [...secrets, ofInstallation, TOKEN, PASSWORD]
    expect(service.log()).toMatch(/\/api\/webhooks\/\S+\/rotate/)
    expect(hidden.filter((one) => service.log().includes(one))).toEqual([])
    expect(lists).toContain('?token=…')
    expect(hidden.filter((one) => lists.includes(one))).toEqual([])
    expect(hidden.filter((one) => JSON.stringify(answers[3]).includes(one))).toEqual([])
  })

  test('a password in a URL is told nowhere and sent nowhere, however it was stored', async () => {
    await using home = await testApp(engine)
    await using there = await receiver()
    const { app, place, owner } = home
    const webhook = await aWebhook(app, owner.organizationId, { url: there.url })
    await storePassword(app, webhook, there.port)
    await using service = await startService(place, 'all', { LOG_LEVEL: 'trace' })
    const client = new Client(service.url)
    await client.signIn(OWNER)

    await told(app, owner.organizationId)
    const delivery = await deliveryIn(app, webhook, 'retrying')
    const lists = await listsOf(place, client)
    await service.stop('SIGTERM')

    expect(there.got).toEqual([])
    expect(delivery.lastError).toMatch(/^Not sent\. Leave out the user and password/)
    expect(service.log()).not.toContain(PASSWORD)
    expect(lists).toContain(webhook.id)
    expect(lists).not.toContain(PASSWORD)
  })
})

/** As no door lets it in. */
async function storePassword(app: App, { id }: MadeWebhook, port: number): Promise<void> {
  const url = `http://me:${PASSWORD}@127.0.0.1:${port}/hook`
  await app.db.updateTable('webhook').set({ url }).where('id', '=', id).execute()
}

/** Every list there is of webhooks and deliveries, as text. */
async function listsOf(place: Place, client: Client): Promise<string> {
  const outcomes = await Promise.all([
    earshot(place, ['webhooks', 'list']),
    earshot(place, ['webhooks', 'list', '--json']),
    earshot(place, ['deliveries', 'list']),
    earshot(place, ['deliveries', 'list', '--json']),
  ])
  const answers = [await client.get('/api/webhooks'), await client.get('/api/deliveries')]
  expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0, 0])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  return JSON.stringify([outcomes, answers.map(({ body }) => body)])
}
