// The yardstick: a bare loop of undici that posts the same bodies with as many headers, and is done
// with each when it was answered. It signs nothing, remembers nothing and tries nothing twice.

import { Agent } from 'undici'
import { clockwork, onAsked, type Spent } from './deliver-child.ts'
import { eventsOf } from './deliver-events.ts'

export interface PlainOrder {
  ports: readonly number[]
  /** To each. */
  events: number
  /** To each at a time. */
  concurrency: number
}

const HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'Earshot/0.0.0',
  'service-signature': `v1=${'0'.repeat(64)}`,
  'service-timestamp': '1700000000',
  'service-event': 'crawl.run.completed',
  'webhook-id': `evt_${'0'.repeat(26)}`,
  'webhook-timestamp': '1700000000',
  'webhook-signature': `v1,${'0'.repeat(43)}=`,
}

const agent = new Agent()

onAsked(async ({ ports, events, concurrency }: PlainOrder): Promise<Spent> => {
  const bodies = eventsOf(`org_${'0'.repeat(26)}`, events).map(({ body }) => Buffer.from(body))
  const spent = clockwork()
  await Promise.all(ports.map((port) => postAll(port, bodies, concurrency)))
  return spent()
})

async function postAll(
  port: number,
  bodies: readonly Buffer[],
  concurrency: number,
): Promise<void> {
  const origin = `http://127.0.0.1:${port}`
  const rest = bodies.values()
  const work = async (): Promise<void> => {
    for (const body of rest) await post(origin, body)
  }
  await Promise.all(Array.from({ length: concurrency }, work))
}

async function post(origin: string, body: Buffer): Promise<void> {
  const answer = await agent.request({
    origin,
    path: '/hook',
    method: 'POST',
    headers: HEADERS,
    body,
  })
  await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`${origin} answered ${answer.statusCode}.`)
}
