import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Command } from 'commander'
import { z } from 'zod'
import { checkSignatures, type Verdict } from '../events/check-signatures.ts'
import { parseOption } from './failure.ts'

interface Options {
  port: string
  secret?: string
  status: string
}

const Port = z.coerce.number().int().min(0).max(65_535)
const Status = z.coerce.number().int().min(200).max(599)

export function addListen(program: Command): void {
  program
    .command('listen')
    .description('receive deliveries on this machine, print them and verify them')
    .option('--port <number>', 'the port to listen on; 0 takes any free one', '8787')
    .option('--secret <secret>', 'the secret of the webhook: says whether signatures verify')
    .option('--status <code>', 'what to answer', '200')
    .action((options: Options) => run(options))
}

async function run({ port, secret, status }: Options): Promise<void> {
  const stopped = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
  const answer = parseOption('--status', Status, status)
  const server = createServer((request, response) => {
    void answerTo(request, response, { secret, answer })
  })
  server.listen(parseOption('--port', Port, port), '127.0.0.1')
  await once(server, 'listening')
  const { port: bound } = server.address() as AddressInfo
  process.stdout.write(`Listening on http://127.0.0.1:${bound}/\n`)
  await stopped
  server.closeAllConnections()
  server.close()
}

async function answerTo(
  request: IncomingMessage,
  response: ServerResponse,
  { secret, answer }: { secret: string | undefined; answer: number },
): Promise<void> {
  process.stdout.write(await received(request, secret))
  response.writeHead(answer, { 'content-type': 'application/json' }).end('{}')
}

async function received(request: IncomingMessage, secret: string | undefined): Promise<string> {
  const body = await buffer(request)
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  )
  const verdicts =
    secret === undefined ? [] : checkSignatures({ headers, body }, { secret, now: Date.now() })
  const event = headers['service-event'] ?? 'curation.batch.ready'
  const lines = [
    `\n${new Date().toISOString()} ${event} ${headers['webhook-id'] ?? ''}`,
    ...verdicts.map(lineOf),
    pretty(body.toString('utf8')),
  ]
  return `${lines.join('\n')}\n`
}

function lineOf({ header, ok, reason }: Verdict): string {
  return `${ok ? 'ok ' : 'BAD'} ${header}: ${reason}`
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text // not JSON, so not from us: shown as it came
  }
}
