import type { Command } from 'commander'
import { issueKey } from '../accounts/issue-key.ts'
import { membersOf } from '../accounts/membership-store.ts'
import type { App } from '../app.ts'
import { End } from '../contract/day-or-instant.ts'
import { Email, Name } from '../contract/fields.ts'
import { NewKey } from '../contract/key.ts'
import { OperatorError } from '../errors.ts'
import { isoTime } from '../lib/iso-time.ts'
import { withApp } from './command.ts'
import { parseOption } from './failure.ts'
import { findOrganization } from './find-organization.ts'

interface Options extends Record<string, unknown> {
  org?: string
  name: string
  scopes?: string
  expires?: string
  user?: string
}

/** A date alone means the whole of that day, as everywhere in the API. */
const Expiry = End.refine(
  (at) => at > Date.now(),
  'give a time in the future, not in the past',
).transform(isoTime)

export function addKeysCreate(keys: Command): void {
  keys
    .command('create')
    .description('make a key and print it, this once')
    .requiredOption('--name <name>', 'what the key is for')
    .option('--org <id>', 'organization (default: the only one)')
    .option('--scopes <list>', 'comma-separated: *, search:read, records:read (default: *)')
    .option('--expires <date>', 'ISO 8601 date or timestamp (default: never)')
    .option('--user <e-mail>', 'the member it acts for (default: the first owner)')
    .action(
      withApp<Options>(async (app, options) => {
        const organizationId = await findOrganization(app, options.org)
        const personId = await memberFor(app, organizationId, options.user)
        const request = { organizationId, personId, ...newKeyOf(options) }
        const report = await issueKey(app.db, request, app.clock())
        return { report, text: `${report.key}\n\nThis is ${report.id}. It is not shown again.` }
      }),
    )
}

function newKeyOf({ name, scopes, expires }: Options): NewKey {
  const list = scopes?.split(',').map((scope) => scope.trim())
  return {
    name: parseOption('--name', Name, name),
    scopes: parseOption('--scopes', NewKey.shape.scopes, list),
    expiresAt: expires === undefined ? null : parseOption('--expires', Expiry, expires),
  }
}

async function memberFor(
  { db }: App,
  organizationId: string,
  email: string | undefined,
): Promise<string> {
  const members = await membersOf(db, organizationId)
  const wanted = email === undefined ? undefined : parseOption('--user', Email, email)
  const member = members.find((one) =>
    wanted === undefined ? one.role === 'owner' : one.email === wanted,
  )
  if (member !== undefined) return member.personId
  throw new OperatorError(`${organizationId} has no such member: ${wanted ?? 'an owner'}.`)
}
