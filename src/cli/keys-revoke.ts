import type { Command } from 'commander'
import { organizationOfKey } from '../accounts/key-store.ts'
import { withdrawKey } from '../accounts/withdraw-key.ts'
import { OperatorError } from '../errors.ts'
import { withApp } from './command.ts'

export function addKeysRevoke(keys: Command): void {
  keys
    .command('revoke')
    .description('revoke a key: it stops working everywhere within a second')
    .argument('<id>', 'the id of the key: key_…')
    .option('--org <id>', 'organization (default: the one the key belongs to)')
    .action(
      withApp<{ org?: string }>(async ({ db, clock }, { org }, [id = '']) => {
        const organizationId = await organizationOfKey(db, id)
        if (organizationId === undefined || (org !== undefined && org !== organizationId)) {
          throw new OperatorError(`There is no key ${id}${org === undefined ? '' : ` in ${org}`}.`)
        }
        await withdrawKey(db, { organizationId, id }, clock())
        return { report: { id, revoked: true }, text: `${id} is revoked.` }
      }),
    )
}
