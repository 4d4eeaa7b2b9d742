import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { expectRefusal } from '#test/support/expect-refusal.ts'
import { foundedPlace, type FoundedPlace } from '#test/support/founded-place.ts'
import { testPlace, type Place } from '#test/support/place.ts'
import { earshot, earshotJson } from '#test/support/program.ts'
import { startCommand } from '#test/support/started-command.ts'
import { eventually } from '#test/support/webhooks.ts'

const OTHER_SECRET = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const RUNS = 'crawl.run.completed'
const BATCHES = 'curation.batch.ready'

describe.concurrent('earshot listen', () => {
  test('prints what it receives, and says that its signatures verify', async () => {
    await using place = await foundedPlace('sqlite')
    const webhook = await create(place, 'http://127.0.0.1:9/')
    await using listening = await listen(place, '--secret', webhook.secret)
    await earshotJson(place, ['webhooks', 'update', webhook.id, '--url', listening.url])

    const run = await sample(place, webhook.id, RUNS)
    const batch = await sample(place, webhook.id, BATCHES)

    expect([run.code, batch.code]).toEqual([0, 0])
    const printed = await eventually(() => {
      const text = listening.stdout()
      expect(text).toContain('"batch_id"')
      return text
    })
    expect(printed).toMatch(/^\S+Z crawl\.run\.completed evt_\w{26}$/m)
    expect(printed).toMatch(/^\S+Z curation\.batch\.ready evt_\w{26}$/m)
    expect(printed.match(/^ok .*$/gm)).toEqual([
      'ok  Service-Signature: It verifies.',
      'ok  webhook-signature: It verifies.',
      'ok  X-Service-Signature: It verifies.',
      'ok  webhook-signature: It verifies.',
    ])
    expect(printed).toContain('  "type": "crawl.run.completed",\n')
    expect(printed).not.toContain(webhook.secret)
  })

  test('prints BAD and why when the secret is another', async () => {
    await using place = await foundedPlace('sqlite')
    await using listening = await listen(place, '--secret', OTHER_SECRET)
    const { id } = await create(place, listening.url)

    await sample(place, id, RUNS)

    const bad = await eventually(() => {
      const lines = listening.stdout().match(/^BAD .*$/gm)
      expect(lines).toHaveLength(2)
      return lines
    })
    expect(bad?.[0]).toMatch(/^BAD Service-Signature: .*another secret/)
    expect(bad?.[1]).toMatch(/^BAD webhook-signature: .*another secret/)
    expect(listening.stdout()).not.toMatch(/^ok /m)
  })

  test('without a secret prints what it receives and judges nothing', async () => {
    await using place = await foundedPlace('sqlite')
    await using listening = await listen(place)
    const { id } = await create(place, listening.url)

    await sample(place, id, RUNS)

    await eventually(() => expect(listening.stdout()).toContain('"type": "crawl.run.completed"'))
    expect(listening.stdout()).not.toMatch(/^(?:ok|BAD) /m)
  })

  test('with --json prints one object a line', async () => {
    await using place = await foundedPlace('sqlite')
    const webhook = await create(place, 'http://127.0.0.1:9/')
    await using listening = await listen(place, '--secret', webhook.secret, '--json')
    await earshotJson(place, ['webhooks', 'update', webhook.id, '--url', listening.url])

    await sample(place, webhook.id, RUNS)

    const lines = await eventually(() => {
      const found = listening.stdout().trim().split('\n')
      expect(found).toHaveLength(2)
      return found.map((line) => JSON.parse(line))
    })
    expect(lines).toEqual([
      { url: listening.url },
      expect.objectContaining({
        event: RUNS,
        id: expect.stringMatching(/^evt_\w{26}$/),
        verdicts: [
          { header: 'Service-Signature', ok: true, reason: 'It verifies.' },
          { header: 'webhook-signature', ok: true, reason: 'It verifies.' },
        ],
        body: expect.objectContaining({ type: RUNS }),
      }),
    ])
  })

  test('answers with --status', async () => {
    await using place = await foundedPlace('sqlite')
    await using listening = await listen(place, '--status', '503')
    const { id } = await create(place, listening.url)

    const { code, stdout } = await sample(place, id, RUNS)

    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ attempt: { statusCode: 503, outcome: 'failed' } })
  })

  test('shows what is no JSON as it came', async () => {
    await using place = await testPlace('sqlite')
    await using listening = await listen(place)

    const { status } = await fetch(listening.url, { method: 'POST', body: 'hello, is it me?' })

    expect(status).toBe(200)
    await eventually(() => expect(listening.stdout()).toContain('\nhello, is it me?\n'))
  })

  test('goes on when a sender breaks off in the middle', async () => {
    await using place = await testPlace('sqlite')
    await using listening = await listen(place)

    await breakOff(listening.url)

    const { status } = await fetch(listening.url, { method: 'POST', body: 'still there?' })
    expect(status).toBe(200)
    listening.child.kill('SIGTERM')
    expect(await listening.ended).toMatchObject({ code: 0, stderr: '' })
  })

  test.each(['SIGTERM', 'SIGINT'] as const)('ends with 0 on %s', async (signal) => {
    await using place = await testPlace('sqlite')
    await using listening = await listen(place)

    listening.child.kill(signal)

    expect(await listening.ended).toMatchObject({ code: 0, stderr: '' })
  })

  test.each([
    { option: '--port', value: '65536', mend: /65535/ },
    { option: '--port', value: 'http', mend: /number/ },
    { option: '--status', value: '42', mend: /200/ },
    { option: '--status', value: '600', mend: /599/ },
    { option: '--status', value: 'fine', mend: /number/ },
    { option: '--secret', value: 'hunter2', mend: /whsec_/ },
  ])('refuses $option $value, and says what it accepts', async ({ option, value, mend }) => {
    await using place = await testPlace('sqlite')
    // The free port is for the one that is not refused by mistake.
    const port = option === '--port' ? [] : ['--port', '0']

    await using started = startCommand(place, ['listen', ...port, option, value])
    started.child.stdout.once('data', () => started.child.kill('SIGTERM'))
    const outcome = await started.ended

    expectRefusal(outcome, new RegExp(`^earshot: ${option} is not accepted: `))
    expect(outcome.stderr).toMatch(mend)
  })

  test('refuses a port that somebody else listens on, in a sentence', async () => {
    await using place = await testPlace('sqlite')
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo

    const outcome = await earshot(place, ['listen', '--port', String(port)])

    taken.close()
    expectRefusal(outcome, new RegExp(`^earshot: .*${port}`))
  })
})

async function listen(place: Pick<Place, 'variables'>, ...options: string[]) {
  const started = startCommand(place, ['listen', '--port', '0', ...options])
  let stdout = ''
  started.child.stdout.on('data', (chunk) => (stdout += chunk))
  const url = await eventually(() => {
    const found = /http:\/\/127\.0\.0\.1:\d+\//.exec(stdout)?.[0]
    expect(found).toBeDefined()
    return found ?? ''
  })
  return { ...started, url, stdout: () => stdout }
}

function create(place: FoundedPlace, url: string): Promise<{ id: string; secret: string }> {
  const args = ['webhooks', 'create', '--url', url, '--events', `${RUNS},${BATCHES}`]
  return earshotJson(place, args)
}

function sample(place: FoundedPlace, id: string, kind: string) {
  return earshot(place, ['webhooks', 'test', id, '--event', kind, '--json'])
}

/** Promises more than it sends, and is gone. */
async function breakOff(url: string): Promise<void> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(
    'POST / HTTP/1.1\r\nhost: here\r\nexpect: 100-continue\r\ncontent-length: 100\r\n\r\n',
  )
  await once(socket, 'data') // told to go on: the request has been seen
  socket.write('half of')
  socket.resetAndDestroy()
  await once(socket, 'close')
}
