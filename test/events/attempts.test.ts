// What attempts come to, against real receivers over real TLS, in production.

import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { createGzip, gzipSync, constants } from 'node:zlib'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { post } from '#src/events/post.ts'
import { openReceivers } from '#src/events/receivers.ts'
import { startSender } from '#src/jobs/sender.ts'
import { days, minutes, seconds } from '#src/lib/duration.ts'
import { CA, certificate, HOST } from '#test/support/certificates.ts'
import { ENGINES } from '#test/support/place.ts'
import { answering, receiver, type Answering } from '#test/support/receiver.ts'
import { aWebhook, deliveryIn, logOf, names, productionHome, told } from '#test/support/webhooks.ts'

const VALID = certificate('valid')

const FINE = [200, 201, 202, 204, 299]
const BAD = [300, 301, 302, 303, 307, 308, 400, 401, 404, 410, 422, 429, 500, 502, 503, 504]

/** For answers that do not come: nobody waits 15 s for those. */
const SOON = { deadlineMs: 300 }
const TOO_LATE = 'No complete answer within 0.3 s'

describe.each(ENGINES)('an attempt on %s', (engine) => {
  test('that is answered with 2xx is a success, with any other status a failure that is tried again', async () => {
    await using production = await productionHome(engine)
    const { app, organizationId } = production
    await using there = await receiver((response, { path }) => {
      const location = `https://${HOST}:${there.port}/target`
      response.writeHead(Number(path.slice(1)), { location }).end()
    }, VALID)
    const webhooks = new Map<number, Awaited<ReturnType<typeof aWebhook>>>()
    for (const status of [...FINE, ...BAD]) {
      const url = `https://${HOST}:${there.port}/${status}`
      webhooks.set(status, await aWebhook(app, organizationId, { url }))
    }
    await using _sender = await startSender(app)

    await told(app, organizationId)

    for (const [status, webhook] of webhooks) {
      const ok = FINE.includes(status)
      const delivery = await deliveryIn(app, webhook, ok ? 'delivered' : 'retrying')
      const error = ok ? null : `HTTP ${status}`
      expect(delivery).toMatchObject({ attempts: 1, lastStatus: status, lastError: error })
      const outcome = ok ? 'delivered' : 'failed'
      expect(await logOf(app, delivery)).toMatchObject([{ number: 1, outcome, status, error }])
    }
    expect(there.got.map(({ path }) => path)).not.toContain('/target')
    expect(there.got).toHaveLength(webhooks.size)
  })

  test('that meets Retry-After waits as long, in seconds or until a date, and a day at most', async () => {
    await using production = await productionHome(engine)
    const { app, organizationId } = production
    const begunAt = app.clock()
    const date = new Date(Math.ceil((begunAt + minutes(40)) / 1_000) * 1_000)
    const wishes = { seconds: '1200', date: date.toUTCString(), years: '99999999', none: '' }
    await using there = await receiver((response, { path }) => {
      const wish = Object.entries(wishes).find(([name]) => path === `/${name}`)?.[1] ?? ''
      response.writeHead(429, wish === '' ? {} : { 'retry-after': wish }).end()
    }, VALID)
    const waitAt = async (path: string): Promise<number> => {
      const url = `https://${HOST}:${there.port}/${path}`
      const webhook = await aWebhook(app, organizationId, { url })
      await told(app, organizationId)
      const { id } = await deliveryIn(app, webhook, 'retrying')
      const ofIt = app.db.selectFrom('delivery').select('wait_ms').where('id', '=', id)
      return (await ofIt.executeTakeFirstOrThrow()).wait_ms
    }
    await using _sender = await startSender(app)

    expect(await waitAt('seconds')).toBe(seconds(1_200))
    expect(await waitAt('years')).toBe(days(1))
    const untilDate = await waitAt('date')
    expect(untilDate).toBeLessThanOrEqual(date.getTime() - begunAt)
    expect(untilDate).toBeGreaterThanOrEqual(date.getTime() - app.clock())
    expect(await waitAt('none')).toBeLessThanOrEqual(seconds(6))
  })

  test('that finds nobody, or loses them, says so in the log', async () => {
    await using production = await productionHome(engine, {
      resolve: names((host) => (host === HOST ? ['127.0.0.1'] : [])),
    })
    const { app, organizationId } = production
    await using broken = await receiver((response) => response.socket?.destroy(), VALID)
    await using notHttp = await rawReceiver('SSH-2.0-OpenSSH_9.9\r\n')
    await using notSecure = await receiver()
    const cases = [
      { url: `https://${HOST}:${await freePort()}/`, error: 'Connection refused' },
      { url: `https://${HOST}:${broken.port}/`, error: 'The connection broke' },
      { url: `https://${HOST}:${notHttp.port}/`, error: 'The answer is not HTTP' },
      { url: `https://${HOST}:${notSecure.port}/`, error: 'No secure connection' },
      { url: 'https://nobody.example.com/', error: 'No such host' },
    ]
    const webhooks = await Promise.all(
      cases.map(({ url }) => aWebhook(app, organizationId, { url })),
    )
    await using _sender = await startSender(app)

    await told(app, organizationId)

    const deliveries = await Promise.all(
      webhooks.map((webhook) => deliveryIn(app, webhook, 'retrying')),
    )
    const errors = deliveries.map(({ lastError, lastStatus }) => [lastError, lastStatus])
    expect(errors).toEqual(cases.map(({ error }) => [error, null]))
  })
})

describe('the answer', () => {
  test('is read no further than 16 KiB: success is then a matter of its status', async () => {
    const open =
      (size: number): Answering =>
      (response) =>
        void response.writeHead(200).write('a'.repeat(size))

    expect(await outcomeOf(open(16_384))).toMatchObject({ ok: true, status: 200 })
    expect(await outcomeOf(open(16_383), SOON)).toMatchObject({ ok: false, error: TOO_LATE })
  })

  test('that never ends is left, and fails by its status alone', async () => {
    const left = Promise.withResolvers<void>()
    const endless =
      (status: number): Answering =>
      (response) => {
        const write = () => {
          while (response.write('endless '.repeat(1_000)));
        }
        response.writeHead(status).on('drain', write).once('close', left.resolve)
        write()
      }

    expect(await outcomeOf(endless(200))).toMatchObject({ ok: true, status: 200, error: null })
    await left.promise
    expect(await outcomeOf(endless(500))).toMatchObject({ ok: false, error: 'HTTP 500' })
  })

  test('is measured after decompression', async () => {
    const open =
      (size: number): Answering =>
      (response) => {
        const gzip = createGzip()
        gzip.pipe(response.writeHead(200, { 'content-encoding': 'gzip' }))
        gzip.write('a'.repeat(size))
        gzip.flush(constants.Z_SYNC_FLUSH)
      }

    expect(await outcomeOf(open(16_384))).toMatchObject({ ok: true, snippet: 'a'.repeat(1_024) })
    expect(await outcomeOf(open(16_383), SOON)).toMatchObject({ ok: false, error: TOO_LATE })
  })

  test('that is a bomb does not go off', async () => {
    const zeros = gzipSync(Buffer.alloc(8_000_000))
    const letters = gzipSync('a'.repeat(8_000_000))

    expect(await outcomeOf(encoded('gzip', zeros))).toMatchObject({ ok: true, snippet: '' })
    expect(await outcomeOf(encoded('gzip', letters))).toMatchObject({
      ok: true,
      snippet: 'a'.repeat(1_024),
    })
  })

  test.each(['gzip', 'x-gzip', 'deflate', 'br'])(
    'that is not the %s it is said to be counts by its status',
    async (how) => {
      const outcome = await outcomeOf(encoded(how, Buffer.from('this is something else')))

      expect(outcome).toMatchObject({ ok: true, status: 200, error: null, snippet: '' })
    },
  )

  test.each([200, 204])('%i that is said to be gzip and is empty is a success', async (status) => {
    const outcome = await outcomeOf((response) =>
      response.writeHead(status, { 'content-encoding': 'gzip' }).end(),
    )

    expect(outcome).toMatchObject({ ok: true, status, error: null, snippet: '' })
  })

  test('that breaks off in the middle is no success', async () => {
    const outcome = await outcomeOf((response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half', () => response.socket?.destroy())
    })

    expect(outcome).toMatchObject({ ok: false, error: 'The connection broke' })
  })

  test('keeps its status and what it asks for, although its body breaks off', async () => {
    const outcome = await outcomeOf((response) => {
      response.writeHead(429, { 'content-length': '100', 'retry-after': '3600' })
      response.write('half', () => response.socket?.destroy())
    })

    expect(outcome).toMatchObject({ ok: false, status: 429, retryAfterMs: seconds(3_600) })
  })

  test.each([
    { name: 'letters', text: 'a'.repeat(5_000) },
    { name: 'letters of two bytes', text: 'ü'.repeat(5_000) },
    { name: 'letters of three bytes', text: 'x日本'.repeat(5_000) },
    { name: 'pictures', text: 'x🦊'.repeat(5_000) },
    { name: 'half a picture', text: `${'a'.repeat(1_023)}🦊` },
  ])('of many $name is kept up to 1 KiB, cut between characters', async ({ text }) => {
    const { snippet } = await outcomeOf(answering(200, text))

    expect(Buffer.byteLength(snippet)).toBeLessThanOrEqual(1_024)
    expect(Buffer.byteLength(snippet)).toBeGreaterThan(1_000)
    expect(snippet.isWellFormed()).toBe(true)
    expect(snippet.startsWith(text.slice(0, 300))).toBe(true)
  })

  test('that is no text is kept as what can be stored', async () => {
    const { ok, snippet } = await outcomeOf(encoded('', Buffer.from([0x61, 0, 0xff, 0xfe, 0x62])))

    expect({ ok, snippet }).toEqual({ ok: true, snippet: 'a\ufffd\ufffdb' })
  })
})

describe('the deadline', () => {
  test('is met by a receiver that never answers', async () => {
    expect(await outcomeOf(() => {}, SOON)).toMatchObject({ ok: false, error: TOO_LATE })
  })

  test('is met by a receiver that stops in the middle of the body', async () => {
    const outcome = await outcomeOf((response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half')
    }, SOON)

    expect(outcome).toMatchObject({ ok: false, error: TOO_LATE })
  })

  test(
    'is met by a receiver that never comes to an end with TLS',
    { timeout: 10_000 },
    async () => {
      await using silent = await listening(createServer())

      expect(await postTo(silent.port, SOON)).toMatchObject({ ok: false, error: TOO_LATE })
    },
  )

  test('is 15 s', async () => {
    const asked = Promise.withResolvers<void>()
    await using there = await receiver(() => asked.resolve(), VALID)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())

    let ended = false
    const posting = postTo(there.port).finally(() => (ended = true))
    await asked.promise
    await vi.advanceTimersByTimeAsync(14_999)
    expect(ended).toBe(false)
    await vi.advanceTimersByTimeAsync(1)

    expect(await posting).toMatchObject({ error: 'No complete answer within 15 s' })
  })
})

function encoded(encoding: string, body: Buffer): Answering {
  return (response) =>
    void response.writeHead(200, encoding === '' ? {} : { 'content-encoding': encoding }).end(body)
}

async function outcomeOf(answer: Answering, terms: { deadlineMs?: number } = {}) {
  await using there = await receiver(answer, VALID)
  return await postTo(there.port, terms)
}

async function postTo(port: number, terms: { deadlineMs?: number } = {}) {
  const config = { production: true, webhooks: { openRanges: ['127.0.0.0/8'] } }
  const resolve = names(() => ['127.0.0.1'])
  await using receivers = openReceivers(config, { ca: CA, resolve })
  const { dispatcher } = receivers
  const request = { url: `https://${HOST}:${port}/hook`, headers: {}, body: Buffer.from('{}') }
  return await post(request, { dispatcher, now: Date.now, ...terms })
}

/** Answers what is no HTTP. */
async function rawReceiver(answer: string) {
  const server = createTlsServer(VALID, (socket) => {
    socket.on('error', () => {}) // whoever does not understand it goes away
    socket.once('data', () => socket.end(answer))
  })
  return listening(server)
}

async function listening(server: ReturnType<typeof createServer>) {
  const sockets = new Set<{ destroy(): void }>()
  server.on('connection', (socket) => void sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

async function freePort(): Promise<number> {
  await using server = await listening(createServer())
  return server.port
}
