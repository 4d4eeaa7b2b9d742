// A bare Fastify server that sends the same bytes: the yardstick. It reads the answer to imitate
// from its first argument and says on which port it listens.

import { fastify } from 'fastify'

/** Node adds these to any answer by itself. */
const BY_NODE = new Set(['date', 'connection', 'keep-alive', 'content-length'])

const { path, headers, body }: { path: string; headers: Record<string, string>; body: string } =
  JSON.parse(process.argv[2] ?? '')
const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => !BY_NODE.has(name)))
const data: unknown = JSON.parse(body)

const server = fastify({ logger: false })
server.route({
  method: ['GET', 'POST'],
  url: path,
  handler: (_request, reply) => {
    reply.headers(sent).send(data)
  },
})
await server.listen({ host: '127.0.0.1', port: 0 })
const address = server.server.address()
process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`)
