// Where deliveries may go in production, with names that mean what the test wants.

import { describe, expect, test } from 'vitest'
import type { App } from '#src/app.ts'
import { NOT_PUBLIC } from '#src/events/address-rules.ts'
import { changeWebhook } from '#src/events/change-webhook.ts'
import { startSender } from '#src/jobs/sender.ts'
import { days } from '#src/lib/duration.ts'
import { webhookContext } from '#src/webhook-context.ts'
import { certificate, HOST } from '#test/support/certificates.ts'
import { ENGINES } from '#test/support/place.ts'
import { receiver } from '#test/support/receiver.ts'
import { testApp } from '#test/support/test-app.ts'
import {
  appInWorld,
  aWebhook,
  deliveriesTo,
  deliveryIn,
  eventually,
  logOf,
  names,
  productionHome,
  told,
} from '#test/support/webhooks.ts'

const VALID = certificate('valid')

const PUBLIC = '93.184.216.34'
const SECRET_PLACE = '10.11.12.13'

/** No range is open. */
const CLOSED = ''

const ODD_LITERALS = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f.1',
  '0x7f000001',
  '0177.0.0.1',
  '127.0.0.1.',
  '１２７.０.０.１',
  '0',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::127.0.0.1]',
  '[2002:7f00:1::]',
  '[fd00:ec2::254]',
  '169.254.169.254',
  '10.11.12.13',
]

/** What was made outside production meets its rules. */
function asProduction(app: App): App {
  const config = { ...app.config, production: true }
  return appInWorld({ ...app, config }, { resolve: names(() => [PUBLIC]) })
}

describe.each(ENGINES)('in production on %s', (engine) => {
  test('an address that is not public is refused at creation, however it is written', async () => {
    const asked: string[] = []
    const resolve = names((host) => {
      asked.push(host)
      return [PUBLIC]
    })
    await using production = await productionHome(engine, { openRanges: CLOSED, resolve })
    const { app, organizationId } = production

    for (const literal of ODD_LITERALS) {
      const making = aWebhook(app, organizationId, { url: `https://${literal}/hook` })
      await expect(making, literal).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        details: [{ path: 'url', message: NOT_PUBLIC }],
      })
    }
    expect(asked).toEqual([])
  })

  test('an address that is not public is refused at sending, however it is written', async () => {
    await using home = await testApp(engine)
    await using there = await receiver(undefined, VALID)
    const organizationId = home.owner.organizationId
    const webhooks = await Promise.all(
      ODD_LITERALS.map((literal) =>
        aWebhook(home.app, organizationId, { url: `https://${literal}:${there.port}/hook` }),
      ),
    )
    const app = asProduction(home.app)
    await using _receivers = await app.receivers()
    await using _sender = await startSender(app)

    await told(app, organizationId)

    for (const webhook of webhooks) {
      const delivery = await deliveryIn(app, webhook, 'retrying')
      expect(delivery.lastError).toBe(NOT_PUBLIC)
    }
    expect(there.got).toEqual([])
  })

  test('what is not https is not sent, and the log says why', async () => {
    await using home = await testApp(engine)
    await using there = await receiver()
    const organizationId = home.owner.organizationId
    const webhook = await aWebhook(home.app, organizationId, { url: there.url })
    const app = asProduction(home.app)
    await using _receivers = await app.receivers()
    await using _sender = await startSender(app)

    await told(app, organizationId)

    const { lastError } = await deliveryIn(app, webhook, 'retrying')
    expect(lastError).toBe('Not sent. Use https: in production nothing else is sent to.')
    expect(there.got).toEqual([])
    await expect(aWebhook(app, organizationId, { url: there.url })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    })
  })

  test.each([
    { name: 'that leads to a private address', answers: [SECRET_PLACE] },
    { name: 'of which one answer of several is private', answers: [PUBLIC, SECRET_PLACE] },
    { name: 'of which the first answer is private', answers: ['::ffff:10.11.12.13', PUBLIC] },
  ])('a name $name is refused at creation and at a change', async ({ answers }) => {
    const resolve = names((host) => (host === HOST ? answers : [PUBLIC]))
    await using production = await productionHome(engine, { openRanges: CLOSED, resolve })
    const { app, organizationId } = production
    const webhook = await aWebhook(app, organizationId, { url: 'https://fine.example.com/' })
    const url = `https://${HOST}/hook`

    const making = aWebhook(app, organizationId, { url })
    const changing = changeWebhook(webhookContext(app), webhook, { url })

    const refusal = { code: 'INVALID_REQUEST', details: [{ path: 'url', message: NOT_PUBLIC }] }
    await expect(making).rejects.toMatchObject(refusal)
    await expect(changing).rejects.toMatchObject(refusal)
  })

  test('a name of which one answer is private is refused at every attempt, and none of its addresses is told', async () => {
    let answers: string[] = []
    const resolve = names(() => answers)
    await using production = await productionHome(engine, { openRanges: '127.0.0.1/32', resolve })
    await using there = await receiver(undefined, VALID)
    const { home, app, organizationId } = production
    const url = `https://${HOST}:${there.port}/hook`
    // Not known yet: whether it may be sent to will be found out.
    const webhook = await aWebhook(app, organizationId, { url })
    answers = ['127.0.0.1', SECRET_PLACE]
    await using _sender = await startSender(app)

    await told(app, organizationId)
    await attemptsMade(app, webhook, 1)
    home.advance(days(2))
    await attemptsMade(app, webhook, 2)

    const [delivery] = await deliveriesTo(app, webhook)
    const log = delivery === undefined ? [] : await logOf(app, delivery)
    expect(log.map(({ error }) => error)).toEqual([NOT_PUBLIC, NOT_PUBLIC])
    expect(JSON.stringify([delivery, log])).not.toContain(SECRET_PLACE)
    expect(home.log()).not.toContain(SECRET_PLACE)
    expect(there.got).toEqual([])
  })

  test('a name that is public when it is given and private when it is used reaches nobody', async () => {
    let asked = 0
    const resolve = names(() => (asked++ === 0 ? [PUBLIC] : ['127.0.0.1']))
    await using production = await productionHome(engine, { openRanges: CLOSED, resolve })
    await using there = await receiver(undefined, VALID)
    const { home, app, organizationId } = production
    const url = `https://${HOST}:${there.port}/hook`
    const webhook = await aWebhook(app, organizationId, { url })
    await using _sender = await startSender(app)

    await told(app, organizationId)

    for (const count of [1, 2, 3]) {
      await attemptsMade(app, webhook, count)
      home.advance(days(2))
    }
    const [delivery] = await deliveriesTo(app, webhook)
    expect(delivery?.lastError).toBe(NOT_PUBLIC)
    expect(there.got).toEqual([])
  })

  test('a name that changes at every question never leads past the check', async () => {
    // 127.0.0.2 stands for what is public: nobody listens there, and no packet leaves this machine.
    let asked = 0
    const resolve = names(() => [asked++ % 2 === 0 ? '127.0.0.2' : '127.0.0.1'])
    await using production = await productionHome(engine, { openRanges: '127.0.0.2/32', resolve })
    await using there = await receiver(undefined, VALID)
    const { home, app, organizationId } = production
    const url = `https://${HOST}:${there.port}/hook`
    const webhook = await aWebhook(app, organizationId, { url })
    await using _sender = await startSender(app)
    asked = 0

    await told(app, organizationId)

    for (const count of [1, 2, 3, 4]) {
      await attemptsMade(app, webhook, count)
      home.advance(days(2))
    }
    const [delivery] = await deliveriesTo(app, webhook)
    const log = delivery === undefined ? [] : await logOf(app, delivery)
    const refused = log.slice(0, 4).map(({ error }) => error === NOT_PUBLIC)
    expect(refused).toEqual([false, true, false, true])
    expect(there.got).toEqual([])
  })

  test('a range that is opened is sent to, over one connection for one delivery after the other', async () => {
    await using production = await productionHome(engine, { openRanges: '127.0.0.0/8' })
    const sockets = new Set<unknown>()
    await using there = await receiver((response) => {
      sockets.add(response.socket)
      response.end()
    }, VALID)
    const { app, organizationId } = production
    const url = `https://${HOST}:${there.port}/hook`
    const webhook = await aWebhook(app, organizationId, { url })
    await using _sender = await startSender(app)

    for (const count of [1, 2, 3]) {
      await told(app, organizationId)
      await eventually(async () => {
        const states = (await deliveriesTo(app, webhook)).map(({ state }) => state)
        expect(states).toEqual(Array(count).fill('delivered'))
      })
    }

    expect(there.got).toHaveLength(3)
    expect(sockets.size).toBe(1)
  })
})

/** This many, or more: a clock that was moved ahead may bring the next one at once. */
async function attemptsMade(
  app: App,
  webhook: { organizationId: string; id: string },
  count: number,
): Promise<void> {
  await eventually(async () => {
    const [delivery] = await deliveriesTo(app, webhook)
    const log = delivery === undefined ? [] : await logOf(app, delivery)
    expect(log.length).toBeGreaterThanOrEqual(count)
    expect(delivery?.state).toBe('retrying')
  })
}
