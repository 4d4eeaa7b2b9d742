// The receiver of all webhooks, in a process of its own: a port for each, as if each were another host.
// Some answer at once, others never. It also says when it has answered so many, so that nobody has to
// ask the database while it is being measured.

import { EventEmitter, once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { onAsked } from './deliver-child.ts'

export type ReceiverOrder =
  | { kind: 'open'; count: number; hang: boolean }
  /** Counts from now on. */
  | { kind: 'count' }
  | { kind: 'wait'; count: number }

const answers = new EventEmitter()
let answered = 0

const answer: RequestListener = (request, response) => {
  request.resume().on('end', () => {
    response.end('ok')
    answered += 1
    answers.emit('one')
  })
}
const hang: RequestListener = (request) => void request.resume()

/** The ports, when some were opened. */
onAsked(async (order: ReceiverOrder): Promise<number[]> => {
  if (order.kind === 'count') answered = 0
  if (order.kind === 'wait') while (answered < order.count) await once(answers, 'one')
  if (order.kind !== 'open') return []
  const ports: number[] = []
  while (ports.length < order.count) ports.push(await listen(order.hang ? hang : answer))
  return ports
})

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port was given.')
  return address.port
}
