import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Command } from 'commander'
import { CURATION_BATCH_READY } from '../contract/event.ts'
import { wholeNumberText } from '../contract/fields.ts'
import { WebhookSecret } from '../contract/webhook.ts'
import { OperatorError } from '../errors.ts'
import { checkSignatures, type Verdict } from '../events/check-signatures.ts'
import { parseOption } from './failure.ts'

interface Options {
  port: string
  secret?: string
  status: string
  json?: boolean
}

const Port = wholeNumberText(0, 65_535)
const Status = wholeNumberText(200, 599)

export function addListen(program: Command): void {
  program
    .command('listen')
    .description('receive deliveries on this machine, print them and verify them')
    .option('--port <number>', 'the port to listen on; 0 takes any free one', '8787')
    .option('--secret <secret>', 'the secret of the webhook: says whether signatures verify')
    .option('--status <code>', 'what to answer', '200')
    .action((options: Options) => run(options))
}

async function run({ port, secret: given, status, json = false }: Options): Promise<void> {
  const stopped = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
  const secret = given === undefined ? undefined : parseOption('--secret', WebhookSecret, given)
  const answer = parseOption('--status', Status, status)
  const server = createServer((request, response) => {
    received(request, secret)
      .then((got) => {
        process.stdout.write(json ? `${JSON.stringify(got)}\n` : textOf(got))
        return response.writeHead(answer, { 'content-type': 'application/json' }).end('{}')
      })
      .catch(() => response.destroy()) // it went away in the middle of its body
  })
  await listenOn(server, parseOption('--port', Port, port))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  process.stdout.write(json ? `${JSON.stringify({ url })}\n` : `Listening on ${url}\n`)
  await stopped
  server.closeAllConnections()
  server.close()
}

async function listenOn(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new OperatorError(
      `Port ${port} cannot be listened on (${code}). Give another with --port.`,
    )
  }
}

interface Received {
  at: string
  event: string
  id: string
  /** None without a secret. */
  verdicts: Verdict[]
  /** Text where it is not JSON, so not from us. */
  body: unknown
}

async function received(request: IncomingMessage, secret: string | undefined): Promise<Received> {
  const body = await buffer(request)
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  )
  return {
    at: new Date().toISOString(),
    event: headers['service-event'] ?? CURATION_BATCH_READY,
    id: headers['webhook-id'] ?? '',
    verdicts:
      secret === undefined ? [] : checkSignatures({ headers, body }, { secret, now: Date.now() }),
    body: parsed(body.toString('utf8')),
  }
}

function textOf({ at, event, id, verdicts, body }: Received): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2)
  return `${['', `${at} ${event} ${id}`, ...verdicts.map(lineOf), text].join('\n')}\n`
}

function lineOf({ header, ok, reason }: Verdict): string {
  return `${ok ? 'ok ' : 'BAD'} ${header}: ${reason}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
