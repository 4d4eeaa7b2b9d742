import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Attempt, Delivery } from '#src/contract/delivery.ts'
import { disableWebhook } from '#src/events/enable-webhook.ts'
import { startSender } from '#src/jobs/sender.ts'
import { isoTime } from '#src/lib/iso-time.ts'
import { expectRefusal } from '#test/support/expect-refusal.ts'
import { foundedPlace, type FoundedPlace } from '#test/support/founded-place.ts'
import { ENGINES, type Place } from '#test/support/place.ts'
import { earshot, earshotJson } from '#test/support/program.ts'
import { answering, receiver, type Answering } from '#test/support/receiver.ts'
import { testApp } from '#test/support/test-app.ts'
import {
  aWebhook,
  deliveriesTo,
  deliveryIn,
  eventually,
  told,
  toldMany,
} from '#test/support/webhooks.ts'

const URL_OF_NOBODY = 'http://127.0.0.1:9/hook'
const RUNS = 'crawl.run.completed'
const BATCHES = 'curation.batch.ready'

/** So late that nothing is tried again by itself while a test looks. */
const refusing: Answering = (response) =>
  void response.writeHead(500, { 'retry-after': '3600' }).end('later')

type Page = { items: Delivery[]; nextCursor: string | null }
type Details = Delivery & { body: string; log: Attempt[] }

describe.concurrent.each(ENGINES)('earshot deliveries on %s', (engine) => {
  test('list shows the log newest first, by each of its filters', async () => {
    await using home = await testApp(engine)
    await using fine = await receiver()
    await using broken = await receiver(refusing)
    const { app, place, owner } = home
    const good = await aWebhook(app, owner.organizationId, { url: fine.url, events: [RUNS] })
    const bad = await aWebhook(app, owner.organizationId, { url: broken.url })
    await using _sender = await startSender(app)
    const run = await told(app, owner.organizationId)
    const delivered = await deliveryIn(app, good, 'delivered')
    const failedRun = await deliveryIn(app, bad, 'retrying')
    const batch = await told(app, owner.organizationId, BATCHES)
    const failedBatch = await eventually(async () => {
      const [newest] = await deliveriesTo(app, bad)
      expect(newest).toMatchObject({ eventId: batch.id, state: 'retrying' })
      return newest
    })

    const { items, nextCursor } = await list(place, '--org', owner.organizationId)

    for (const item of items) expect(Delivery.parse(item)).toEqual(item)
    expect(items.map(({ id }) => id)).toEqual(
      items
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    )
    expect(nextCursor).toBeNull()
    expect(items.find(({ id }) => id === delivered.id)).toMatchObject({
      webhookId: good.id,
      eventId: run.id,
      eventKind: RUNS,
      test: false,
      state: 'delivered',
      attempts: 1,
      lastStatusCode: 200,
      lastError: null,
      nextAttemptAt: null,
    })
    const listed = async (...options: string[]) => {
      const page = await list(place, ...options)
      return page.items.map(({ id }) => id)
    }
    expect(await listed('--webhook', good.id, '--state', 'delivered')).toEqual([delivered.id])
    expect(await listed('--state', 'retrying')).toEqual([failedBatch?.id, failedRun.id])
    expect(await listed('--status', '500', '--event', RUNS)).toEqual([failedRun.id])
    expect(await listed('--from', isoTime(batch.createdAt))).toEqual([failedBatch?.id])
    expect(await listed('--to', isoTime(run.createdAt - 1))).toEqual([])
  })

  test('list gives every delivery once, page by page', async () => {
    await using home = await testApp(engine)
    const { app, place, owner } = home
    await aWebhook(app, owner.organizationId, { url: URL_OF_NOBODY })
    const events = await toldMany(app, owner.organizationId, { count: 5 })

    const pages: Page[] = [await list(place, '--limit', '2')]
    for (let last = pages.at(-1); last?.nextCursor; last = pages.at(-1)) {
      pages.push(await list(place, '--limit', '2', '--cursor', last.nextCursor))
    }

    expect(pages.map(({ items }) => items.length)).toEqual([2, 2, 1])
    const listed = pages.flatMap(({ items }) => items.map(({ eventId }) => eventId))
    expect(listed).toEqual(events.map(({ id }) => id).toReversed())
  })

  test('show has every attempt and the bytes; redeliver sends the very same again', async () => {
    await using home = await testApp(engine)
    let answer = refusing
    await using there = await receiver((...given) => answer(...given))
    const { app, place, owner } = home
    const webhook = await aWebhook(app, owner.organizationId, { url: there.url })
    const event = await told(app, owner.organizationId)
    await using _sender = await startSender(app)
    const { id } = await deliveryIn(app, webhook, 'retrying')
    answer = answering(200, 'at last')

    const queued = await earshotJson(place, ['deliveries', 'redeliver', id])
    await deliveryIn(app, webhook, 'delivered')
    const shown = await earshotJson<Details>(place, ['deliveries', 'show', id])

    expect(queued).toMatchObject({ id, eventId: event.id })
    expect(shown).toMatchObject({ id, attempts: 2, body: event.body })
    expect(shown.log).toMatchObject([
      {
        number: 1,
        outcome: 'failed',
        statusCode: 500,
        error: 'HTTP 500',
        responseSnippet: 'later',
      },
      { number: 2, outcome: 'delivered', statusCode: 200, error: null, test: false },
    ])
    for (const attempt of shown.log) expect(Attempt.parse(attempt)).toEqual(attempt)
    expect(there.got.map(({ body }) => body.toString())).toEqual([event.body, event.body])
    expect(there.got.map(({ headers }) => headers['webhook-id'])).toEqual([event.id, event.id])
  })

  test('redeliver refuses a test, and what belongs to a webhook that is disabled', async () => {
    await using home = await testApp(engine)
    await using there = await receiver()
    const { app, place, owner } = home
    const webhook = await aWebhook(app, owner.organizationId, { url: there.url })
    const tested = await earshotJson<{ deliveryId: string }>(place, [
      'webhooks',
      'test',
      webhook.id,
    ])
    await disableWebhook(app.db, webhook, app.clock())
    await told(app, owner.organizationId)
    const [held] = await deliveriesTo(app, webhook)

    const again = await earshot(place, ['deliveries', 'redeliver', tested.deliveryId])
    const early = await earshot(place, ['deliveries', 'redeliver', held?.id ?? ''])

    expect(held?.state).toBe('held')
    expectRefusal(again, /^earshot: This was a test\. Send another test instead\.$/m)
    expectRefusal(early, /^earshot: Its webhook is disabled\. Enable the webhook first\.$/m)
  })
})

test('earshot deliveries tells people what was sent, and what came of it', async () => {
  await using place = await foundedPlace('sqlite')
  await using there = await receiver(answering(404, 'nobody here'))

  const none = await tell(place, ['list'])
  const webhook = await create(place, there.url, RUNS)
  await earshot(place, ['webhooks', 'test', webhook])
  const listed = await tell(place, ['list'])
  const id = /dlv_\w{26}/.exec(listed)?.[0] ?? ''
  const shown = await tell(place, ['show', id])

  expect(none).toBe('There are no deliveries.\n')
  expect(listed).toMatch(
    /^ID .*CREATED\ndlv_\w+ +crawl\.run\.completed \(test\) +failed +1 +HTTP 404 +\S+Z\n$/,
  )
  const [head, table, body] = shown.split('\n\n')
  expect(head).toBe(`${id}: ${RUNS}, failed`)
  expect(table).toMatch(/^# .*ERROR\n1 +\S+Z +failed +404 +\d+ +HTTP 404$/)
  expect(JSON.parse(body ?? '')).toEqual(JSON.parse(there.got[0]?.body.toString() ?? ''))
})

describe.concurrent('earshot deliveries refuses', () => {
  let place: FoundedPlace // one for all: none of them changes anything

  beforeAll(async () => {
    place = await foundedPlace('sqlite')
  })
  afterAll(() => place[Symbol.asyncDispose]())

  test.each([
    { option: '--state', value: 'lost', mend: /retrying/ },
    { option: '--status', value: 'many', mend: /whole number/ },
    { option: '--status', value: '99', mend: /100/ },
    { option: '--event', value: 'alert.fire', mend: /alert\.fired/ },
    { option: '--from', value: 'yesterday', mend: /ISO 8601/ },
    { option: '--to', value: 'tomorrow', mend: /ISO 8601/ },
    { option: '--limit', value: '0', mend: /1/ },
    { option: '--limit', value: '101', mend: /100/ },
  ])('$option $value: names the option and says what it accepts', async (wrong) => {
    const { option, value, mend } = wrong

    const outcome = await earshot(place, ['deliveries', 'list', option, value, '--json'])

    expectRefusal(outcome, new RegExp(`^earshot: ${option} is not accepted: `))
    expect(outcome.stderr).toMatch(mend)
  })

  test.each([
    { what: 'a made-up cursor', args: ['list', '--cursor', 'dlv_1'], reason: /nextCursor/ },
    {
      what: 'an unknown organization',
      args: ['list', '--org', 'org_nowhere'],
      reason: /no organization org_nowhere/,
    },
    {
      what: 'an unknown option',
      args: ['list', '--colour', 'red'],
      reason: /unknown option '--colour'/,
    },
    { what: 'a missing id', args: ['show'], reason: /missing required argument 'id'/ },
    {
      what: 'to show one that is not there',
      args: ['show', 'dlv_nowhere'],
      reason: /^earshot: There is no delivery dlv_nowhere .*earshot deliveries list/,
    },
    {
      what: 'to redeliver one that is not there',
      args: ['redeliver', 'dlv_nowhere'],
      reason: /^earshot: There is no delivery dlv_nowhere .*earshot deliveries list/,
    },
  ])('$what', async ({ args, reason }) => {
    expectRefusal(await earshot(place, ['deliveries', ...args, '--json']), reason)
  })
})

async function create(place: FoundedPlace, url: string, events: string): Promise<string> {
  const args = ['webhooks', 'create', '--url', url, '--events', events]
  return (await earshotJson<{ id: string }>(place, args)).id
}

function list(place: Place, ...options: string[]): Promise<Page> {
  return earshotJson(place, ['deliveries', 'list', ...options])
}

/** What a command says to people, when all is well. */
async function tell(place: FoundedPlace, args: string[]): Promise<string> {
  const { code, stdout, stderr } = await earshot(place, ['deliveries', ...args])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}
