import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import type { Command } from 'commander'
import { WebhookSecret } from '../contract/webhook.ts'
import { OperatorError } from '../errors.ts'
import { checkSignatures, type SignedRequest } from '../events/check-signatures.ts'
import { withConfig } from './command.ts'
import { parseOption } from './failure.ts'

interface Options extends Record<string, unknown> {
  secret: string
  file: string
}

export function addWebhooksVerify(webhooks: Command): void {
  webhooks
    .command('verify')
    .description('say why the signature of a request does or does not verify')
    .requiredOption('--secret <secret>', 'the secret of the webhook, whsec_…')
    .option('--file <file>', 'the request: headers, an empty line, the body; - reads it', '-')
    .action(
      withConfig<Options>(async (_config, { secret: given, file }) => {
        const secret = parseOption('--secret', WebhookSecret, given)
        const bytes = file === '-' ? await buffer(process.stdin) : await contentsOf(file)
        const verdicts = checkSignatures(requestOf(bytes), { secret, now: Date.now() })
        if (verdicts.length === 0)
          throw new OperatorError('There is no signature among the headers.')
        const lines = verdicts.map(
          ({ header, ok, reason }) => `${ok ? 'ok ' : 'BAD'} ${header}: ${reason}`,
        )
        const ok = verdicts.every((verdict) => verdict.ok)
        return { report: { ok, verdicts }, text: lines.join('\n'), exitCode: ok ? 0 : 1 }
      }),
    )
}

async function contentsOf(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new OperatorError(`${file} cannot be read (${code}). Give a file with the request in it.`)
  }
}

/** A request line at the beginning is no header, and does no harm. */
function requestOf(bytes: Buffer): SignedRequest {
  const crlf = bytes.indexOf('\r\n\r\n')
  const lf = bytes.indexOf('\n\n')
  const isCrlf = crlf !== -1 && (lf === -1 || crlf < lf)
  const end = isCrlf ? crlf : lf
  if (end === -1) throw new OperatorError('There is no empty line between headers and body.')
  const body = bytes.subarray(end + (isCrlf ? 4 : 2))
  const lines = bytes.subarray(0, end).toString('latin1').split(/\r?\n/)
  const headers = lines.flatMap((line) => {
    const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? []
    return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value.trim()]]
  })
  return { headers: Object.fromEntries(headers) as Record<string, string>, body }
}
