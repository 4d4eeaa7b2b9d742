import { once } from 'node:events'
import { createSecureServer } from 'node:http2'
import { createServer as createSecureHttpServer } from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer as createTlsServer, type SecureVersion } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { post } from '#src/events/post.ts'
import { openReceivers } from '#src/events/receivers.ts'
import { startSender } from '#src/jobs/sender.ts'
import { CA, certificate, HOST, type CertificateName } from '#test/support/certificates.ts'
import { ENGINES } from '#test/support/place.ts'
import { receiver } from '#test/support/receiver.ts'
import { testApp } from '#test/support/test-app.ts'
import { aWebhook, deliveryIn, logOf, names, productionHome, told } from '#test/support/webhooks.ts'

const BAD_CERTIFICATES: { name: CertificateName; error: string }[] = [
  { name: 'self-signed', error: 'The certificate is self-signed' },
  { name: 'expired', error: 'The certificate has expired' },
  { name: 'other-host', error: 'The certificate is for another host' },
]

describe.each(ENGINES)('a certificate on %s', (engine) => {
  test.each(BAD_CERTIFICATES)(
    'that is $name is refused in production, in words, and nothing is sent',
    async ({ name, error }) => {
      await using production = await productionHome(engine)
      await using there = await receiver(undefined, certificate(name))
      const { app, organizationId } = production
      const url = `https://${HOST}:${there.port}/hook`
      const webhook = await aWebhook(app, organizationId, { url })
      await using _sender = await startSender(app)

      await told(app, organizationId)

      const delivery = await deliveryIn(app, webhook, 'retrying')
      expect(delivery).toMatchObject({ lastStatus: null, lastError: error })
      expect(await logOf(app, delivery)).toMatchObject([{ outcome: 'failed', status: null, error }])
      expect(there.got).toEqual([])
    },
  )

  test('that an authority signed whom nobody knows is refused in production', async () => {
    await using production = await productionHome(engine)
    // Without what productionHome adds: the roots of the system alone.
    const { app } = production.home
    await using there = await receiver(undefined, certificate('valid'))
    const { organizationId } = production
    const webhook = await aWebhook(app, organizationId, { url: there.url })
    await using _sender = await startSender(app)

    await told(app, organizationId)

    const { lastError } = await deliveryIn(app, webhook, 'retrying')
    expect(lastError).toBe('The certificate is not from a known authority')
    expect(there.got).toEqual([])
  })

  test('of any kind is accepted outside production', async () => {
    await using home = await testApp(engine)
    await using selfSigned = await receiver(undefined, certificate('self-signed'))
    await using expired = await receiver(undefined, certificate('expired'))
    await using otherHost = await receiver(undefined, certificate('other-host'))
    const { app, owner } = home
    const receivers = [selfSigned, expired, otherHost]
    const webhooks = await Promise.all(
      receivers.map(({ url }) => aWebhook(app, owner.organizationId, { url })),
    )
    await using _sender = await startSender(app)

    await told(app, owner.organizationId)

    for (const webhook of webhooks) await deliveryIn(app, webhook, 'delivered')
    expect(receivers.map(({ got }) => got.length)).toEqual([1, 1, 1])
  })

  test('is good for a name and for an address', async () => {
    await using production = await productionHome(engine)
    await using there = await receiver(undefined, certificate('valid'))
    const { app, organizationId } = production
    const byName = await aWebhook(app, organizationId, {
      url: `https://${HOST}:${there.port}/name`,
    })
    const byAddress = await aWebhook(app, organizationId, { url: there.url })
    await using _sender = await startSender(app)

    await told(app, organizationId)

    await deliveryIn(app, byName, 'delivered')
    await deliveryIn(app, byAddress, 'delivered')
    expect(there.got.map(({ path }) => path).toSorted()).toEqual(['/hook', '/name'])
    expect(there.got.map(({ headers }) => headers.host).toSorted()).toEqual([
      `127.0.0.1:${there.port}`,
      `${HOST}:${there.port}`,
    ])
  })
})

describe('the version of TLS', () => {
  test.each(['TLSv1.2', 'TLSv1.3'] as const)('%s is spoken', async (version) => {
    const server = createSecureHttpServer(
      { ...certificate('valid'), minVersion: version, maxVersion: version },
      (_request, response) => response.end('fine'),
    )

    expect(await outcomeAt(server)).toMatchObject({ ok: true, status: 200, snippet: 'fine' })
  })

  test('of before is not', async () => {
    const old: SecureVersion = 'TLSv1.1'
    const server = createTlsServer({
      ...certificate('valid'),
      minVersion: old,
      maxVersion: old,
      ciphers: 'DEFAULT@SECLEVEL=0', // or it would refuse to begin
    })

    expect(await outcomeAt(server)).toMatchObject({ ok: false, status: null })
  })
})

test.each([
  { status: 200, outcome: { ok: true, error: null, snippet: 'over 2' } },
  { status: 503, outcome: { ok: false, error: 'HTTP 503', retryAfterMs: 7_000 } },
])('a receiver that prefers HTTP/2 and says $status is understood', async ({ status, outcome }) => {
  const versions: string[] = []
  const server = createSecureServer(certificate('valid'), (request, response) => {
    versions.push(request.httpVersion)
    response.writeHead(status, { 'retry-after': '7' }).end('over 2')
  })

  expect(await outcomeAt(server)).toMatchObject({ status, ...outcome })
  expect(versions).toEqual(['2.0'])
})

/** Of one attempt in production at a server that nobody listens to yet. */
async function outcomeAt(server: Server) {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => void sockets.add(socket))
  server.on('tlsClientError', () => {}) // part of the test
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const config = { production: true, webhooks: { openRanges: ['127.0.0.0/8'] } }
  const receivers = openReceivers(config, { ca: CA, resolve: names(() => ['127.0.0.1']) })
  const request = { url: `https://${HOST}:${port}/hook`, headers: {}, body: Buffer.from('{}') }
  try {
    return await post(request, { dispatcher: receivers.dispatcher, now: Date.now })
  } finally {
    await receivers[Symbol.asyncDispose]()
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  }
}
