import type { Command } from 'commander'
import { foundOrganization } from '../accounts/found.ts'
import { firstPerson, personByEmail } from '../accounts/person-store.ts'
import { Email, Name } from '../contract/fields.ts'
import type { Db } from '../db/database.ts'
import { OperatorError } from '../errors.ts'
import { withApp } from './command.ts'
import { parseOption } from './failure.ts'

interface Options extends Record<string, unknown> {
  name: string
  owner?: string
}

export function addOrg(program: Command): void {
  const org = program.command('org').description('organizations')
  org
    .command('create')
    .description('make a further organization')
    .requiredOption('--name <name>', 'name of the organization')
    .option('--owner <e-mail>', 'who owns it (default: the first owner of the installation)')
    .action(
      withApp<Options>(async ({ db, clock }, options) => {
        const organizationName = parseOption('--name', Name, options.name)
        const ownerId = await ownerOf(db, options.owner)
        const organizationId = await db
          .transaction()
          .execute((trx) => foundOrganization(trx, { ownerId, organizationName }, clock()))
        return { report: { organizationId }, text: `${organizationName} is ${organizationId}.` }
      }),
    )
}

async function ownerOf(db: Db, email: string | undefined): Promise<string> {
  if (email === undefined) {
    const first = await firstPerson(db)
    if (first !== undefined) return first.id
    throw new OperatorError('There is nobody to own it yet. Run `earshot init` first.')
  }
  const person = await personByEmail(db, parseOption('--owner', Email, email))
  if (person !== undefined) return person.id
  throw new OperatorError(`There is no account with the e-mail ${email}.`)
}
