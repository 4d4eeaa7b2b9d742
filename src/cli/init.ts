import type { Command } from 'commander'
import { foundInstallation } from '../accounts/found.ts'
import { Email, Name, Password } from '../contract/fields.ts'
import { withApp } from './command.ts'
import { parseOption } from './failure.ts'
import { askPassword } from './ask-password.ts'

interface Options extends Record<string, unknown> {
  email: string
  org: string
  password?: string
}

export function addInit(program: Command): void {
  program
    .command('init')
    .description('make the first owner and organization')
    .requiredOption('--email <address>', 'e-mail of the owner')
    .requiredOption('--org <name>', 'name of the organization')
    .option(
      '--password <password>',
      'at least 8 characters; asked for, or read from stdin, if left out',
    )
    .action(
      withApp<Options>(async ({ db, clock }, options) => {
        const founding = {
          email: parseOption('--email', Email, options.email),
          organizationName: parseOption('--org', Name, options.org),
          password: parseOption('--password', Password, options.password ?? (await askPassword())),
        }
        const report = await foundInstallation(db, founding, clock())
        return { report, text: textOf(founding.email, report) }
      }),
    )
}

function textOf(email: string, ids: { userId: string; organizationId: string }): string {
  return [
    `${email} (${ids.userId}) owns the organization ${ids.organizationId}.`,
    'Next, watch something (docs/watching.md has an example), and make an API key:',
    `  earshot watchers create --org ${ids.organizationId} --file watcher.json`,
    `  earshot keys create --org ${ids.organizationId} --name "My first key"`,
  ].join('\n')
}
