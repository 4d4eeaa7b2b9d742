import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebhookHealth, type Attempt, type Redelivery } from '#src/contract/delivery.ts'
import { EVENT_KINDS } from '#src/contract/event.ts'
import { Webhook } from '#src/contract/webhook.ts'
import { checkSignatures } from '#src/events/check-signatures.ts'
import { disableWebhook, enableWebhook } from '#src/events/enable-webhook.ts'
import { startSender } from '#src/jobs/sender.ts'
import { expectRefusal } from '#test/support/expect-refusal.ts'
import { foundedPlace, type FoundedPlace } from '#test/support/founded-place.ts'
import { ENGINES, type Place } from '#test/support/place.ts'
import { earshot, earshotJson, startService } from '#test/support/program.ts'
import { answering, receiver, type Received } from '#test/support/receiver.ts'
import { testApp } from '#test/support/test-app.ts'
import {
  aWebhook,
  deliveriesTo,
  deliveryIn,
  eventually,
  told,
  toldMany,
  webhookNow,
} from '#test/support/webhooks.ts'

const URL_OF_NOBODY = 'http://127.0.0.1:9/hook'
const RUNS = 'crawl.run.completed'
const LONG_AGO = '2020-01-01'

describe.concurrent.each(ENGINES)('earshot webhooks on %s', (engine) => {
  test('create prints id and secret, and stores the secret encrypted only', async () => {
    await using home = await testApp(engine)
    const { app, place, owner } = home
    const options = ['--url', URL_OF_NOBODY, '--events', 'crawl.run.completed, alert.fired']

    const report = await create(place, '--org', owner.organizationId, ...options)

    expect(report).toEqual({
      id: expect.stringMatching(/^whk_\w{26}$/),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    })
    const stored = await app.db.selectFrom('webhook').selectAll().execute()
    expect(stored).toMatchObject([
      { id: report.id, organization_id: owner.organizationId, url: URL_OF_NOBODY, enabled: 1 },
    ])
    const encoded = report.secret.slice('whsec_'.length)
    expect(JSON.stringify(stored)).not.toContain(encoded)
  })

  test('list shows what create was given, newest first, never a secret or a token', async () => {
    await using home = await testApp(engine)
    const { place } = home
    const url = `${URL_OF_NOBODY}?token=hunter2&verbose=yes`
    const first = await create(place, '--url', url, '--events', EVENT_KINDS.join(','))
    const about = ['--description', 'For the team']
    const second = await create(place, '--url', URL_OF_NOBODY, '--events', RUNS, ...about)

    const { items } = await list(place)

    expect(items).toMatchObject([
      { id: second.id, url: URL_OF_NOBODY, events: [RUNS], description: 'For the team' },
      { id: first.id, url: `${URL_OF_NOBODY}?token=…&verbose=…`, events: [...EVENT_KINDS] },
    ])
    for (const item of items) expect(Webhook.parse(item)).toEqual(item)
    const text = JSON.stringify(items)
    for (const hidden of ['hunter2', first.secret, second.secret])
      expect(text).not.toContain(hidden)
  })

  test('update changes what it is given, and leaves the rest', async () => {
    await using home = await testApp(engine)
    const { app, place, owner } = home
    const webhook = await aWebhook(app, owner.organizationId, {
      url: URL_OF_NOBODY,
      events: [RUNS],
    })
    const update = ['webhooks', 'update', webhook.id]

    const moved = await earshotJson(place, [...update, '--url', 'http://[::1]:9/'])
    const events = ['--events', 'alert.fired,alert.fired', '--description', 'Alerts']
    const retold = await earshotJson(place, [...update, ...events])

    const url = 'http://[::1]:9/'
    expect(moved).toMatchObject({ id: webhook.id, url, events: [RUNS], description: '' })
    expect(retold).toMatchObject({ id: webhook.id, url, events: ['alert.fired'] })
    expect(await webhookNow(app, webhook)).toMatchObject({ url, description: 'Alerts' })
  })

  test('test sends a sample, signed, and shows what the receiver answered', async () => {
    await using home = await testApp(engine)
    await using there = await receiver()
    const { app, place, owner } = home
    const webhook = await aWebhook(app, owner.organizationId, { url: there.url, events: [RUNS] })

    const tested = await earshotJson<Tested>(place, ['webhooks', 'test', webhook.id])
    await earshotJson(place, ['webhooks', 'test', webhook.id, '--event', 'curation.batch.ready'])

    expect(tested).toEqual({
      deliveryId: expect.stringMatching(/^dlv_\w{26}$/),
      attempt: expect.objectContaining({ statusCode: 200, responseSnippet: 'thanks', test: true }),
    })
    expect(there.got.map((got) => verifiedIn(got, webhook.secret))).toEqual([
      ['Service-Signature', 'webhook-signature'],
      ['X-Service-Signature', 'webhook-signature'],
    ])
    expect(await deliveriesTo(app, webhook)).toMatchObject([
      { kind: 'curation.batch.ready', isTest: true, state: 'delivered', attempts: 1 },
      { id: tested.deliveryId, kind: RUNS, isTest: true, state: 'delivered', attempts: 1 },
    ])
  })

  test('test ends with 1 when the receiver does not accept it, and counts for nothing', async () => {
    await using home = await testApp(engine)
    await using there = await receiver(answering(503, 'not today'))
    const { app, place, owner } = home
    const refusing = await aWebhook(app, owner.organizationId, { url: there.url })
    const absent = await aWebhook(app, owner.organizationId, { url: URL_OF_NOBODY })

    const refused = await earshot(place, ['webhooks', 'test', refusing.id, '--json'])
    const unreached = await earshot(place, ['webhooks', 'test', absent.id, '--json'])

    expect(refused).toMatchObject({ code: 1, stderr: '' })
    expect((JSON.parse(refused.stdout) as Tested).attempt).toMatchObject({
      outcome: 'failed',
      statusCode: 503,
      responseSnippet: 'not today',
      error: 'HTTP 503',
    })
    expect(unreached).toMatchObject({ code: 1, stderr: '' })
    expect((JSON.parse(unreached.stdout) as Tested).attempt).toMatchObject({
      outcome: 'failed',
      statusCode: null,
      error: 'Connection refused',
    })
    for (const webhook of [refusing, absent]) {
      expect(await webhookNow(app, webhook)).toMatchObject({ consecutiveFailures: 0 })
    }
  })

  test('rotate makes a new secret that signs at once, and the old one besides if wanted', async () => {
    await using home = await testApp(engine)
    await using there = await receiver()
    const { app, place, owner } = home
    const { id, secret: first } = await aWebhook(app, owner.organizationId, { url: there.url })

    const { secret: second } = await rotate(place, id, '--overlap-hours', '24')
    await earshotJson(place, ['webhooks', 'test', id])
    const { secret: third } = await rotate(place, id)
    await earshotJson(place, ['webhooks', 'test', id])

    expect(second).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const signers = there.got.map((got) =>
      [first, second, third].map((secret) => verifiedIn(got, secret)),
    )
    expect(signers).toEqual([
      [['webhook-signature'], ['Service-Signature', 'webhook-signature'], []],
      [[], [], ['Service-Signature', 'webhook-signature']],
    ])
  })

  test('what happens while a webhook is disabled is held, and redeliver sends it afterwards', async () => {
    await using home = await testApp(engine)
    await using there = await receiver()
    const { app, place, owner } = home
    const webhook = await aWebhook(app, owner.organizationId, { url: there.url })
    const { id } = webhook
    const redeliver = ['webhooks', 'redeliver', id, '--since', LONG_AGO]

    const disabled = await earshotJson(place, ['webhooks', 'disable', id])
    const reason = (await webhookNow(app, webhook)).disabledReason
    const events = await toldMany(app, owner.organizationId, { count: 3 })
    const tooEarly = await earshot(place, redeliver)
    const enabled = await earshotJson(place, ['webhooks', 'enable', id])
    const held = await deliveriesTo(app, webhook)
    const redelivery = await earshotJson<Redelivery>(place, redeliver)
    await using _service = await startService(place, 'work')

    expect([disabled, enabled]).toEqual([
      { id, enabled: false },
      { id, enabled: true },
    ])
    expect(reason).toBe('Disabled by hand')
    expectRefusal(tooEarly, /^earshot: Its webhook is disabled\. Enable the webhook first\.$/m)
    expect(held.map(({ state }) => state)).toEqual(['held', 'held', 'held'])
    expect(redelivery).toMatchObject({ webhookId: id, total: 3, done: 3 })
    expect(redelivery.finishedAt).not.toBeNull()
    await eventually(() => {
      const got = there.got.map(({ body }) => body.toString())
      expect(got.sort()).toEqual(events.map(({ body }) => body).sort())
    })
  })

  test('redeliver leaves alone what is older than --since', async () => {
    await using home = await testApp(engine)
    const { app, place, owner } = home
    const webhook = await aWebhook(app, owner.organizationId, { url: URL_OF_NOBODY })
    await disableWebhook(app.db, webhook, app.clock())
    await toldMany(app, owner.organizationId, { count: 2 })
    await enableWebhook(app.db, webhook)
    const since = new Date(Date.now() + 86_400_000).toISOString()

    const args = ['webhooks', 'redeliver', webhook.id, '--since', since]
    const redelivery = await earshotJson(place, args)

    expect(redelivery).toMatchObject({ total: 0, done: 0 })
    const left = await deliveriesTo(app, webhook)
    expect(left.map(({ state }) => state)).toEqual(['held', 'held'])
  })

  test('health tells how a webhook has been doing; tests do not count', async () => {
    await using home = await testApp(engine)
    await using there = await receiver()
    const { app, place, owner } = home
    const webhook = await aWebhook(app, owner.organizationId, { url: there.url })
    await using _sender = await startSender(app)
    await toldMany(app, owner.organizationId, { count: 2 })
    await earshotJson(place, ['webhooks', 'test', webhook.id])
    await eventually(async () => {
      const states = (await deliveriesTo(app, webhook)).map(({ state }) => state)
      expect(states).toEqual(['delivered', 'delivered', 'delivered'])
    })

    const health = await earshotJson<WebhookHealth>(place, ['webhooks', 'health', webhook.id])

    expect(WebhookHealth.parse(health)).toEqual(health)
    expect(health).toMatchObject({ successRate: 1, attempts: 2, consecutiveFailures: 0 })
    expect(health).toMatchObject({ waiting: 0, held: 0, p50Ms: expect.any(Number) })
    expect(health.lastSuccessAt).not.toBeNull()
    const delivered = health.overTime.reduce((sum, hour) => sum + hour.delivered, 0)
    expect(delivered).toBe(2)
  })

  test('delete takes a webhook away at once: nothing that waits for it is sent any more', async () => {
    await using home = await testApp(engine)
    await using there = await receiver()
    const { app, place, owner } = home
    const gone = await aWebhook(app, owner.organizationId, { url: there.url })
    const stays = await aWebhook(app, owner.organizationId, { url: there.url })
    const event = await told(app, owner.organizationId)

    const report = await earshotJson(place, ['webhooks', 'delete', gone.id])
    const again = await earshot(place, ['webhooks', 'delete', gone.id, '--json'])
    await using _sender = await startSender(app)

    expect(report).toEqual({ id: gone.id, deleted: true })
    expectRefusal(again, `There is no webhook ${gone.id}`)
    expect((await list(place)).items.map(({ id }) => id)).toEqual([stays.id])
    await deliveryIn(app, stays, 'delivered')
    expect(there.got.map(({ body }) => body.toString())).toEqual([event.body])
    expect(there.got.flatMap((got) => verifiedIn(got, gone.secret))).toEqual([])
  })

  test('with several organizations, --org says whose', async () => {
    await using home = await testApp(engine)
    const { place, owner } = home
    const other = await home.createOrganization('Globex')
    const options = ['--url', URL_OF_NOBODY, '--events', RUNS]

    const theirs = await create(place, '--org', other, ...options)
    const unnamed = await earshot(place, ['webhooks', 'create', ...options])

    expectRefusal(unnamed, /--org/)
    expect((await list(place, '--org', other)).items).toMatchObject([{ id: theirs.id }])
    expect((await list(place, '--org', owner.organizationId)).items).toEqual([])
  })
})

describe('earshot webhooks, for people', () => {
  test('tells of what it did', async () => {
    await using place = await foundedPlace('sqlite')
    await using there = await receiver()

    const none = await tell(place, ['list'])
    const created = await tell(place, ['create', '--url', there.url, '--events', RUNS])
    const id = /whk_\w{26}/.exec(created)?.[0] ?? ''

    expect(none).toMatch(/^There are no webhooks\. Make one with `earshot webhooks create /)
    expect(created).toMatch(/^whsec_\S{44}\n\nThis is the secret of whk_\w+\. .*not shown again/)
    expect(await tell(place, ['list'])).toMatch(
      new RegExp(`^ID .*FAILURES\n${id} +${there.url} +${RUNS} +enabled +never +0\n$`),
    )
    expect(await tell(place, ['test', id])).toMatch(/^HTTP 200 after \d+ ms\nthanks\n$/)
    expect(await tell(place, ['rotate', id])).toMatch(/^whsec_\S{44}\n\nThis is the new secret/)
    expect(await tell(place, ['update', id, '--events', 'alert.fired'])).toBe(`${id} is changed.\n`)
    expect(await tell(place, ['disable', id])).toBe(`${id} is disabled.\n`)
    expect(await tell(place, ['list'])).toContain('disabled: Disabled by hand')
    expect(await tell(place, ['enable', id])).toMatch(new RegExp(`^${id} is enabled\\. .*held`))
    expect(await tell(place, ['health', id])).toMatch(/^success rate +nothing was sent\n/)
    expect(await tell(place, ['redeliver', id, '--since', LONG_AGO])).toBe(
      `0 deliveries of ${id} are on their way again.\n`,
    )
    expect(await tell(place, ['delete', id])).toBe(`${id} is deleted.\n`)
  })

  test('tells what a receiver said that did not accept a test', async () => {
    await using place = await foundedPlace('sqlite')
    await using there = await receiver(answering(418, 'short and stout'))
    const { id } = await create(place, '--url', there.url, '--events', RUNS)

    const { code, stdout, stderr } = await earshot(place, ['webhooks', 'test', id])

    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toMatch(/^HTTP 418 after \d+ ms\nshort and stout\n$/)
  })
})

describe.concurrent('earshot webhooks refuses', () => {
  let place: FoundedPlace // one for all: none of them changes anything
  let id: string

  beforeAll(async () => {
    place = await foundedPlace('sqlite')
    ;({ id } = await create(place, '--url', URL_OF_NOBODY, '--events', RUNS))
  })
  afterAll(async () => {
    expect((await list(place)).items).toMatchObject([{ id, url: URL_OF_NOBODY, events: [RUNS] }])
    await place[Symbol.asyncDispose]()
  })

  test.each([
    { what: 'no URL', url: 'nonsense', reason: /like https:\/\/example\.com/ },
    { what: 'another scheme', url: 'ftp://example.com/', reason: /like https:\/\/example\.com/ },
    { what: 'a password', url: 'http://me:hunter2@example.com/', reason: /Leave out the user/ },
    { what: 'a fragment', url: 'http://example.com/#here', reason: /Leave out .*#/ },
    {
      what: 'a long one',
      url: `http://example.com/${'x'.repeat(2_048)}`,
      reason: /at most 2048 characters/,
    },
  ])('a URL that is $what, when it is made and when it is changed', async ({ url, reason }) => {
    const created = await earshot(place, ['webhooks', 'create', '--url', url, '--events', RUNS])
    const changed = await earshot(place, ['webhooks', 'update', id, '--url', url])

    for (const outcome of [created, changed]) {
      expectRefusal(outcome, reason)
      expect(outcome.stderr).not.toContain('hunter2')
    }
  })

  test('in production http, and addresses that are not public', async () => {
    const variables = { NODE_ENV: 'production' }
    const args = ['webhooks', 'create', '--events', RUNS, '--url']

    const open = await earshot(place, [...args, 'http://example.com/'], { variables })
    const near = await earshot(place, [...args, 'https://127.0.0.1/'], { variables })

    expectRefusal(open, /Use https/)
    expectRefusal(near, /public/)
  })

  const made = ['create', '--url', URL_OF_NOBODY]
  test.each([
    { what: 'a missing URL', args: ['create', '--events', RUNS], reason: /'--url <url>'/ },
    { what: 'missing events', args: made, reason: /'--events <list>'/ },
    {
      what: 'an unknown event',
      args: [...made, '--events', 'alert.fire'],
      reason: /^earshot: --events .*alert\.fired/,
    },
    { what: 'no event', args: [...made, '--events', ''], reason: /^earshot: --events .*alert/ },
    {
      what: 'an unknown organization',
      args: [...made, '--events', RUNS, '--org', 'org_nowhere'],
      reason: /no organization org_nowhere/,
    },
    {
      what: 'a description that is too long',
      args: [...made, '--events', RUNS, '--description', 'x'.repeat(501)],
      reason: /^earshot: --description .*500/,
    },
    {
      what: 'an unknown option',
      args: [...made, '--events', RUNS, '--colour', 'red'],
      reason: /unknown option '--colour'/,
    },
    { what: 'a missing id', args: ['test'], reason: /missing required argument 'id'/ },
  ])('$what', async ({ args, reason }) => {
    expectRefusal(await earshot(place, ['webhooks', ...args, '--json']), reason)
  })

  test.each([
    { what: 'a change of nothing', args: ['update'], reason: /Say what to change/ },
    {
      what: 'a change to an unknown event',
      args: ['update', '--events', 'nope'],
      reason: /^earshot: --events .*alert\.fired/,
    },
    {
      what: 'a test of an unknown event',
      args: ['test', '--event', 'nope'],
      reason: /^earshot: --event .*alert\.fired/,
    },
    {
      what: 'an overlap of more than a day',
      args: ['rotate', '--overlap-hours', '25'],
      reason: /^earshot: --overlap-hours .*24/,
    },
    {
      what: 'an overlap that is no number',
      args: ['rotate', '--overlap-hours', 'long'],
      reason: /^earshot: --overlap-hours .*number/,
    },
    {
      what: 'an overlap that is empty',
      args: ['rotate', '--overlap-hours', ''],
      reason: /^earshot: --overlap-hours .*number/,
    },
    {
      what: 'the health of no hours',
      args: ['health', '--hours', '0'],
      reason: /^earshot: --hours .*1/,
    },
    {
      what: 'the health of what is no number',
      args: ['health', '--hours', 'all'],
      reason: /^earshot: --hours .*number/,
    },
    { what: 'a redelivery of no time', args: ['redeliver'], reason: /'--since <date>'/ },
    {
      what: 'a redelivery since what is no time',
      args: ['redeliver', '--since', 'yesterday'],
      reason: /^earshot: --since .*ISO 8601/,
    },
  ])('$what', async ({ args: [command = '', ...options], reason }) => {
    expectRefusal(await earshot(place, ['webhooks', command, id, ...options, '--json']), reason)
  })

  test.each(['update', 'test', 'rotate', 'enable', 'disable', 'delete', 'health', 'redeliver'])(
    'to %s one that is not there, and says where to look',
    async (command) => {
      const needed: Record<string, string[]> = {
        update: ['--events', RUNS],
        redeliver: ['--since', LONG_AGO],
      }
      const args = ['webhooks', command, 'whk_nowhere', ...(needed[command] ?? [])]

      const outcome = await earshot(place, args)

      expectRefusal(outcome, /^earshot: There is no webhook whk_nowhere .*earshot webhooks list/)
    },
  )
})

interface Tested {
  deliveryId: string
  attempt: Attempt
}

function create(place: Place, ...options: string[]): Promise<{ id: string; secret: string }> {
  return earshotJson(place, ['webhooks', 'create', ...options])
}

function list(place: Place, ...options: string[]): Promise<{ items: Webhook[] }> {
  return earshotJson(place, ['webhooks', 'list', ...options])
}

function rotate(place: Place, id: string, ...options: string[]) {
  return earshotJson<{ secret: string }>(place, ['webhooks', 'rotate', id, ...options])
}

/** The headers whose signatures are of this secret. */
function verifiedIn({ headers, body }: Received, secret: string): string[] {
  const request = { headers: headers as Record<string, string>, body }
  const verdicts = checkSignatures(request, { secret, now: Date.now() })
  return verdicts.filter(({ ok }) => ok).map(({ header }) => header)
}

/** What a command says to people, when all is well. */
async function tell(place: Place, args: string[]): Promise<string> {
  const { code, stdout, stderr } = await earshot(place, ['webhooks', ...args])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}
