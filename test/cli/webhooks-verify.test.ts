import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal } from '#test/support/expect-refusal.ts'
import { testPlace, type Place } from '#test/support/place.ts'
import { fileIn } from '#test/support/post-lines.ts'
import { earshot, type Outcome } from '#test/support/program.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const VERIFY = ['webhooks', 'verify', '--secret', SECRET]
const ID = 'evt_01m7fsx8hxarg18701c6v41gmx'
const BODY = `{"type":"alert.fired","id":"${ID}","data":{"alert_name":"Ægir hört 監視 🦻"}}`

interface Report {
  ok: boolean
  verdicts: { header: string; ok: boolean; reason: string }[]
}

describe.concurrent('earshot webhooks verify', () => {
  let place: Place // one for all: nothing is stored

  beforeAll(async () => {
    place = await testPlace('sqlite')
  })
  afterAll(() => place[Symbol.asyncDispose]())

  test('verifies both formats and Standard Webhooks, from standard input', async () => {
    const formatA = await verify(place, requestOf(signedA(), BODY))
    const formatB = await verify(place, requestOf(signedB(), BODY))

    expect(formatA).toEqual({
      code: 0,
      report: { ok: true, verdicts: [good('Service-Signature'), good('webhook-signature')] },
    })
    expect(formatB).toEqual({
      code: 0,
      report: { ok: true, verdicts: [good('X-Service-Signature'), good('webhook-signature')] },
    })
  })

  test('reads a file, with a request line and the line breaks of HTTP', async () => {
    const request = requestOf(signedA(), BODY).replace(/\n/g, '\r\n')
    const file = await fileIn(place, 'request.http', `POST /hook HTTP/1.1\r\n${request}`)

    const { code, stdout } = await earshot(place, [...VERIFY, '--file', file])

    expect(code).toBe(0)
    expect(stdout).toBe(
      'ok  Service-Signature: It verifies.\nok  webhook-signature: It verifies.\n',
    )
  })

  test('accepts any of several signatures of Standard Webhooks', async () => {
    const headers = signedA()
    const both = `${signedA(OTHER_SECRET)['webhook-signature']} ${headers['webhook-signature']}`

    const { report } = await verify(
      place,
      requestOf({ ...headers, 'webhook-signature': both }, BODY),
    )

    expect(report.verdicts).toContainEqual(good('webhook-signature'))
  })

  test.each([
    {
      what: 'another secret',
      request: () => requestOf(signedA(OTHER_SECRET), BODY),
      reason: /another secret, or of other bytes/,
    },
    {
      what: 'a body that was parsed and written again',
      request: () => requestOf(signedA(), JSON.stringify(JSON.parse(BODY), null, 2)),
      reason: /take the raw body/,
    },
    {
      what: 'a body with a line break more at its end',
      request: () => requestOf(signedA(), `${BODY}\n`),
      reason: /line break at its end/,
    },
    {
      what: 'a request that is too old',
      request: () => requestOf(signedA(SECRET, nowSeconds() - 3_600), BODY),
      reason: /^It is 36\d\d s old; .* 300 s/,
    },
    {
      what: 'a request of the future',
      request: () => requestOf(signedA(SECRET, nowSeconds() + 3_600), BODY),
      reason: /^It is 3[56]\d\d s ahead of this clock; .* 300 s/,
    },
  ])('says why it does not verify: $what', async ({ request, reason }) => {
    const { code, report } = await verify(place, request())

    expect(code).toBe(1)
    expect(report).toEqual({
      ok: false,
      verdicts: ['Service-Signature', 'webhook-signature'].map((header) => ({
        header,
        ok: false,
        reason: expect.stringMatching(reason),
      })),
    })
  })

  test.each([
    {
      what: 'a signature without its prefix',
      change: { 'service-signature': 'abc' },
      header: 'Service-Signature',
      reason: /v1=/,
    },
    {
      what: 'a timestamp that is missing',
      change: { 'service-timestamp': undefined },
      header: 'Service-Signature',
      reason: /Service-Timestamp is missing/,
    },
    {
      what: 'a timestamp of Standard Webhooks that is no number',
      change: { 'webhook-timestamp': 'noon' },
      header: 'webhook-signature',
      reason: /webhook-timestamp is .*no Unix time/,
    },
    {
      what: 'an id that is missing',
      change: { 'webhook-id': undefined },
      header: 'webhook-signature',
      reason: /webhook-id is missing/,
    },
  ])('judges each signature by itself: $what', async ({ change, header, reason }) => {
    const { code, report } = await verify(place, requestOf({ ...signedA(), ...change }, BODY))

    expect(code).toBe(1)
    expect(report.ok).toBe(false)
    const bad = report.verdicts.filter(({ ok }) => !ok)
    expect(bad).toEqual([{ header, ok: false, reason: expect.stringMatching(reason) }])
    expect(report.verdicts).toHaveLength(2)
  })

  test('says it to people with BAD in front', async () => {
    const outcome = await earshot(place, VERIFY, { input: requestOf(signedB(OTHER_SECRET), BODY) })

    expect(outcome).toMatchObject({ code: 1, stderr: '' })
    expect(outcome.stdout).toMatch(/^BAD X-Service-Signature: .+\nBAD webhook-signature: .+\n$/)
  })

  test('never tells the secret', async () => {
    const outcome = await earshot(place, VERIFY, { input: requestOf(signedA(OTHER_SECRET), BODY) })

    expect(outcome.stdout + outcome.stderr).not.toContain(SECRET.slice('whsec_'.length))
  })

  test.each([
    {
      what: 'a request without a signature',
      args: VERIFY,
      input: requestOf({ 'content-type': 'application/json' }, BODY),
      reason: /no signature among the headers/,
    },
    {
      what: 'a body alone',
      args: VERIFY,
      input: BODY,
      reason: /no empty line between headers and body/,
    },
    { what: 'nothing at all', args: VERIFY, input: '', reason: /no empty line/ },
    { what: 'no secret', args: ['webhooks', 'verify'], input: '', reason: /'--secret <secret>'/ },
    {
      what: 'a secret that is none of ours',
      args: ['webhooks', 'verify', '--secret', 'hunter2'],
      input: requestOf(signedA(), BODY),
      reason: /^earshot: --secret .*whsec_/,
    },
    {
      what: 'a file that is missing',
      args: [...VERIFY, '--file', 'missing.http'],
      input: '',
      reason: /^earshot: missing\.http cannot be read/,
    },
    {
      what: 'a directory',
      args: [...VERIFY, '--file', '.'],
      input: '',
      reason: /^earshot: \. (?:cannot be read|is no file)/,
    },
  ])('refuses $what', async ({ args, input, reason }) => {
    expectRefusal(await earshot(place, args, { input }), reason)
  })
})

type Headers = Record<string, string | undefined>

function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000)
}

function signedA(secret = SECRET, timestamp = nowSeconds()): Headers {
  const signature = createHmac('sha256', secret).update(`${timestamp}.${BODY}`).digest('hex')
  return {
    'service-signature': `v1=${signature}`,
    'service-timestamp': String(timestamp),
    'service-event': 'alert.fired',
    ...standard(secret, timestamp),
  }
}

function signedB(secret = SECRET): Headers {
  const signature = createHmac('sha256', secret).update(BODY).digest('hex')
  return { 'x-service-signature': signature, ...standard(secret, nowSeconds()) }
}

function standard(secret: string, timestamp: number): Headers {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = createHmac('sha256', key).update(`${ID}.${timestamp}.${BODY}`).digest('base64')
  return {
    'webhook-id': ID,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  }
}

/** As a proxy or a debugger writes it down. */
function requestOf(headers: Headers, body: string): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}\n`],
  )
  return `${lines.join('')}\n${body}`
}

function good(header: string) {
  return { header, ok: true, reason: 'It verifies.' }
}

async function verify(
  place: Place,
  input: string,
): Promise<{ code: Outcome['code']; report: Report }> {
  const { code, stdout, stderr } = await earshot(place, [...VERIFY, '--json'], { input })
  expect(stderr).toBe('')
  return { code, report: JSON.parse(stdout) }
}
