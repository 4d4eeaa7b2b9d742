import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readJson } from '#src/sources/http/read-json.ts'
import { SourceError } from '#src/sources/source.ts'
import { json, scriptedServer, type Reply } from './support/scripted-server.ts'
import { testClient } from './support/test-client.ts'

const { signal } = new AbortController()

/** One after another; the last one again and again. */
function inTurn(...replies: Reply[]): () => Reply {
  let next = 0
  return () => replies[Math.min(next++, replies.length - 1)] ?? {}
}

async function failure(promise: Promise<unknown>): Promise<SourceError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof SourceError)) throw new Error('no SourceError', { cause: error })
  return error
}

describe('what it sends', () => {
  test('says who it is, takes compressed answers, and keeps the headers of its caller', async () => {
    await using server = await scriptedServer(() => ({}))
    await using client = testClient()

    await client.get(new URL('/a?b=c', server.url), { signal, headers: { 'x-own': '1' } })

    expect(server.asked[0]).toMatchObject({ method: 'GET', path: '/a' })
    expect(server.asked[0]?.headers).toMatchObject({
      'user-agent': 'Earshot/test',
      'accept-encoding': 'gzip, br',
      'x-own': '1',
    })
  })

  test('posts a form', async () => {
    await using server = await scriptedServer(() => ({}))
    await using client = testClient()

    await client.post(new URL(server.url), { signal, form: { a: 'b&c', d: 'é' } })

    expect(server.asked[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(server.asked[0]?.body).toBe('a=b%26c&d=%C3%A9')
  })

  test('asks on condition when it has validators, and says when nothing has changed', async () => {
    const replies = inTurn(
      { headers: { etag: '"1"', 'last-modified': 'Mon, 01 Jan 2024 00:00:00 GMT' }, body: 'text' },
      { status: 304 },
    )
    await using server = await scriptedServer(replies)
    await using client = testClient()

    const first = await client.get(new URL(server.url), { signal })
    const { validators } = first
    const second = await client.get(new URL(server.url), { signal, validators })

    expect(first).toMatchObject({ notModified: false, body: 'text' })
    expect(second).toMatchObject({ notModified: true, body: '', validators })
    expect(server.asked[1]?.headers).toMatchObject({
      'if-none-match': '"1"',
      'if-modified-since': 'Mon, 01 Jan 2024 00:00:00 GMT',
    })
  })
})

describe('what it reads', () => {
  test.each([
    { encoding: 'gzip', compress: gzipSync },
    { encoding: 'br', compress: brotliCompressSync },
  ])('an answer in $encoding', async ({ encoding, compress }) => {
    const body = compress(Buffer.from('{"é": 1}'))
    await using server = await scriptedServer(() => ({
      headers: { 'content-encoding': encoding },
      body,
    }))
    await using client = testClient()

    const answer = await client.get(new URL(server.url), { signal })

    expect(answer.body).toBe('{"é": 1}')
  })

  test.each([
    { encoding: 'gzip', compress: gzipSync },
    { encoding: 'br', compress: brotliCompressSync },
  ])('no more than the cap, counted after decompression ($encoding)', async (given) => {
    const body = given.compress(Buffer.alloc(1_048_577))
    await using server = await scriptedServer(() => ({
      headers: { 'content-encoding': given.encoding },
      body,
    }))
    await using client = testClient({ maxBytes: 1_048_576 })

    const error = await failure(client.get(new URL(server.url), { signal }))

    expect(error).toMatchObject({
      failure: 'unreadable',
      message: 'The forum sent more than 1 MiB.',
    })
    expect(server.asked).toHaveLength(1)
  })

  test('no more than the cap of a body that never ends', async () => {
    const body = 'x'.repeat(70_000)
    await using server = await scriptedServer(() => ({ body, ending: 'hang' }))
    await using client = testClient({ maxBytes: 65_536 })

    const error = await failure(client.get(new URL(server.url), { signal }))

    expect(error.failure).toBe('unreadable')
  })

  test.each([
    { what: 'gzip that is none', headers: { 'content-encoding': 'gzip' }, body: 'plain' },
    { what: 'brotli that is none', headers: { 'content-encoding': 'br' }, body: 'plain text' },
    {
      what: 'half a gzip',
      headers: { 'content-encoding': 'gzip' },
      body: gzipSync('a long text, cut').subarray(0, 20),
    },
    { what: 'an encoding nobody asked for', headers: { 'content-encoding': 'zstd' }, body: 'x' },
  ])('$what is a damaged answer', async ({ headers, body }) => {
    await using server = await scriptedServer(() => ({ headers, body }))
    await using client = testClient()

    const error = await failure(client.get(new URL(server.url), { signal }))

    expect(error).toMatchObject({
      failure: 'unreadable',
      message: 'The forum sent a damaged answer.',
    })
  })

  test.each([
    { body: '<html>', message: 'The platform answered with a web page instead of JSON.' },
    { body: '{"a": [1', message: 'The platform answered with damaged JSON.' },
    { body: '', message: 'The platform answered with nothing where JSON was asked for.' },
    { body: '{"a": 1}', message: 'The platform answered something else than it should at a.' },
  ])('of JSON only what the schema says: $body', async ({ body, message }) => {
    await using server = await scriptedServer(() => ({ body }))
    await using client = testClient()
    const answer = await client.get(new URL(server.url), { signal })

    expect(() => readJson(answer, z.object({ a: z.string() }))).toThrow(
      expect.objectContaining({ failure: 'unreadable', message }),
    )
  })
})

describe('refusals', () => {
  test.each([
    { status: 400, failure: 'unreadable', asked: 1 },
    { status: 401, failure: 'unauthorized', asked: 1 },
    { status: 403, failure: 'forbidden', asked: 1 },
    { status: 404, failure: 'not_found', asked: 1 },
    { status: 410, failure: 'not_found', asked: 1 },
    { status: 429, failure: 'throttled', asked: 3 },
    { status: 500, failure: 'unreachable', asked: 3 },
    { status: 503, failure: 'unreachable', asked: 3 },
    { status: 304, failure: 'unreadable', asked: 1 },
  ])('HTTP $status is $failure after $asked attempts', async ({ status, failure: kind, asked }) => {
    await using server = await scriptedServer(() => ({ status, body: 'secret' }))
    await using client = testClient()

    const error = await failure(client.get(new URL('/?token=abc', server.url), { signal }))

    expect(error.failure).toBe(kind)
    expect(error.message).toMatch(new RegExp(`^The forum answered HTTP ${status}\\b`))
    expect(error.message).not.toMatch(/secret|token|abc|127\.0/)
    expect(server.asked).toHaveLength(asked)
  })

  test('what failed once and then does not has not failed', async () => {
    await using server = await scriptedServer(
      inTurn({ status: 502 }, { body: 'part', ending: 'cut' }, json({ a: 1 })),
    )
    await using client = testClient()

    const answer = await client.get(new URL(server.url), { signal })

    expect(answer.body).toBe('{"a":1}')
  })

  test('a host that is not there cannot be reached', async () => {
    const server = await scriptedServer(() => ({}))
    const { url } = server
    await server[Symbol.asyncDispose]()
    await using client = testClient()

    const error = await failure(client.get(new URL(url), { signal }))

    expect(error).toMatchObject({
      failure: 'unreachable',
      message: 'The forum cannot be reached: it refuses connections.',
    })
  })

  test('what is no HTTP is a damaged answer', async () => {
    const server = createServer((socket) => {
      socket.once('data', () => socket.write('220 mail.example ESMTP\r\n'))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    await using client = testClient()
    const { port } = server.address() as AddressInfo

    const error = await failure(client.get(new URL(`http://127.0.0.1:${port}`), { signal }))
    server.close()

    expect(error).toMatchObject({
      failure: 'unreadable',
      message: 'The forum sent a damaged answer.',
    })
  })

  test.each([
    { what: 'before the headers', reply: { ending: 'hang' } },
    { what: 'within the body', reply: { body: 'part', ending: 'hang' } },
  ] as const)('a host that hangs $what has missed its deadline', async ({ reply }) => {
    await using server = await scriptedServer(() => reply)
    await using client = testClient({ deadlineMs: 50 })

    const error = await failure(client.get(new URL(server.url), { signal }))

    expect(error).toMatchObject({
      failure: 'unreachable',
      message: 'The forum did not answer within 0.05 s.',
    })
    expect(server.asked).toHaveLength(3)
  })
})

describe('redirects', () => {
  test('within the same origin are followed', async () => {
    await using server = await scriptedServer(({ path }) =>
      path === '/new' ? { body: 'there' } : { status: 301, headers: { location: '/new' } },
    )
    await using client = testClient()

    const answer = await client.get(new URL('/old', server.url), { signal })

    expect(answer.body).toBe('there')
  })

  test('to another origin are not, and nothing is sent there', async () => {
    await using other = await scriptedServer(() => ({}))
    const headers = { location: other.url }
    await using server = await scriptedServer(() => ({ status: 302, headers }))
    await using client = testClient()

    const error = await failure(client.get(new URL(server.url), { signal }))

    expect(error).toMatchObject({
      failure: 'unreadable',
      message: 'The forum sends us to another site.',
    })
    expect(other.asked).toEqual([])
  })

  test('in circles end after three', async () => {
    await using server = await scriptedServer(() => ({ status: 302, headers: { location: '/' } }))
    await using client = testClient()

    const error = await failure(client.get(new URL(server.url), { signal }))

    expect(error.message).toBe('The forum sends us in circles.')
    expect(server.asked).toHaveLength(4)
  })

  test('to where the caller knows that nothing is are "not found"', async () => {
    const headers = { location: 'https://elsewhere.invalid/search?q=x' }
    await using server = await scriptedServer(() => ({ status: 302, headers }))
    await using client = testClient()
    const isGone = (target: URL) => target.pathname === '/search'

    const error = await failure(client.get(new URL(server.url), { signal, isGone }))

    expect(error.failure).toBe('not_found')
  })
})

describe('the host’s wishes', () => {
  test('a long Retry-After is told to the caller, and the host is left alone until then', async () => {
    await using server = await scriptedServer(() => ({
      status: 429,
      headers: { 'retry-after': '120' },
    }))
    await using client = testClient()

    const first = await failure(client.get(new URL(server.url), { signal }))
    const second = await failure(client.get(new URL(server.url), { signal }))

    expect(first).toMatchObject({ failure: 'throttled', retryAfterMs: 120_000 })
    expect(second.failure).toBe('throttled')
    expect(second.message).toMatch(/^The forum takes no more requests for 1[12]\d s\.$/)
    expect(server.asked).toHaveLength(1)
  })

  test('when the platform’s own count is used up, nothing is sent until its reset', async () => {
    let now = Date.now()
    await using server = await scriptedServer(() => ({
      headers: { 'x-ratelimit-remaining': '0.5', 'x-ratelimit-reset': '90' },
    }))
    await using client = testClient({ clock: () => now })
    const url = new URL(server.url)

    await client.get(url, { signal })
    const held = await failure(client.get(url, { signal }))
    now += 90_000
    await client.get(url, { signal })

    expect(held).toMatchObject({ failure: 'throttled', retryAfterMs: 90_000 })
    expect(server.asked).toHaveLength(2)
  })

  test('one host’s wishes do not concern another', async () => {
    await using busy = await scriptedServer(() => ({
      status: 429,
      headers: { 'retry-after': '60' },
    }))
    await using idle = await scriptedServer(() => ({ body: 'hello' }))
    await using client = testClient()

    await failure(client.get(new URL(busy.url), { signal }))
    const answer = await client.get(new URL(idle.url), { signal })

    expect(answer.body).toBe('hello')
  })

  test('never more requests at once than agreed', async () => {
    let running = 0
    let most = 0
    await using server = await scriptedServer(async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      return {}
    })
    await using client = testClient({ concurrency: 3 })

    const url = new URL(server.url)
    await Promise.all(Array.from({ length: 20 }, () => client.get(url, { signal })))

    expect(most).toBeLessThanOrEqual(3)
    expect(server.asked).toHaveLength(20)
  })
})

describe('an abort', () => {
  const reason = new Error('enough')

  test('ends a request that hangs, with the abort’s own reason and without a retry', async () => {
    const controller = new AbortController()
    await using server = await scriptedServer(() => {
      setImmediate(() => controller.abort(reason))
      return { body: 'part', ending: 'hang' }
    })
    await using client = testClient()

    const request = client.get(new URL(server.url), { signal: controller.signal })

    await expect(request).rejects.toBe(reason)
    expect(server.asked).toHaveLength(1)
  })

  test('ends a wait for the pace, and a place in the line', async () => {
    const controller = new AbortController()
    await using server = await scriptedServer(() => ({}))
    await using client = testClient({ perMinute: 3, burst: 1, concurrency: 1 })
    const url = new URL(server.url)
    await client.get(url, { signal })

    const paced = client.get(url, { signal: controller.signal })
    const inLine = client.get(url, { signal: controller.signal })
    controller.abort(reason)

    await expect(paced).rejects.toBe(reason)
    await expect(inLine).rejects.toBe(reason)
    expect(server.asked).toHaveLength(1)
  })

  test('before it began sends nothing', async () => {
    await using server = await scriptedServer(() => ({}))
    await using client = testClient()

    const request = client.get(new URL(server.url), { signal: AbortSignal.abort(reason) })

    await expect(request).rejects.toBe(reason)
    expect(server.asked).toEqual([])
  })
})
