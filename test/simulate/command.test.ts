import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { expectRefusal } from '#test/support/expect-refusal.ts'
import { earshot } from '#test/support/program.ts'

const EARSHOT = join(import.meta.dirname, '../../bin/earshot')
const NOWHERE = { variables: {} }

test.each(['SIGINT', 'SIGTERM'] as const)(
  '`earshot simulate` says how to use it, and ends with 0 on %s',
  async (signal) => {
    const args = ['simulate', '--port', '0', '--channels', 'a,b', '--history', '3', '--json']
    await using child = spawn(EARSHOT, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
    const { url, settings } = JSON.parse((await lines.next()).value ?? '')

    const ids = await (await fetch(`${url}/v0/jobstories.json`)).json()
    child.kill(signal)
    const [code] = await once(child, 'exit')

    expect(settings).toEqual({
      EARSHOT_FORUM_API_URL: url,
      EARSHOT_FORUM_WEB_URL: url,
      EARSHOT_FORUM_CLIENT_ID: 'simulated',
      EARSHOT_FORUM_CLIENT_SECRET: 'simulated',
      EARSHOT_NEWSBOARD_ITEMS_URL: url,
      EARSHOT_NEWSBOARD_SEARCH_URL: url,
      EARSHOT_MIN_INTERVAL_SECONDS: '5',
    })
    expect(ids).toHaveLength(3)
    expect(code).toBe(0)
  },
)

test.each([
  { args: ['--port', '99999'], reason: /--port is not accepted/ },
  { args: ['--fault-429', '2'], reason: /--fault-429 is not accepted/ },
  { args: ['--rate', 'many'], reason: /--rate is not accepted/ },
  { args: ['--latency-ms', 'slow'], reason: /--latency-ms is not accepted/ },
  { args: ['--all'], reason: /--all goes with --file/ },
  { args: ['--file', '/nowhere/posts.ndjson'], reason: /posts\.ndjson cannot be read/ },
])('refuses $args', async ({ args, reason }) => {
  expectRefusal(await earshot(NOWHERE, ['simulate', '--port', '0', ...args]), reason)
})

test('says when its port is taken', async () => {
  await using taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo

  const outcome = await earshot(NOWHERE, ['simulate', '--port', String(port)])

  expectRefusal(outcome, new RegExp(`Port ${port} cannot be listened on`))
})
