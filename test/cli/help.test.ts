import { describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { expectRefusal } from '#test/support/expect-refusal.ts'
import { earshot } from '#test/support/program.ts'

const NOWHERE = { variables: {} }

const ROLES = ['all', 'serve', 'crawl', 'work']
const GROUPS = ['', 'org', 'keys', 'watchers', 'runs', 'webhooks', 'deliveries']
const COMMANDS = [
  'init',
  'org create',
  'keys create',
  'keys list',
  'keys revoke',
  'watchers create',
  'watchers list',
  'watchers show',
  'watchers update',
  'watchers pause',
  'watchers resume',
  'watchers delete',
  'watchers run',
  'runs list',
  'webhooks create',
  'webhooks list',
  'webhooks update',
  'webhooks health',
  'webhooks redeliver',
  'webhooks test',
  'webhooks rotate',
  'webhooks enable',
  'webhooks disable',
  'webhooks delete',
  'webhooks verify',
  'deliveries list',
  'deliveries show',
  'deliveries redeliver',
  'listen',
  'import',
  'backfill',
  'export',
  'simulate',
  'migrate',
  'doctor',
  'backup',
  'restore',
]

describe.concurrent('earshot --help', () => {
  test.each([...ROLES, ...GROUPS, ...COMMANDS])('explains `earshot %s`', async (command) => {
    const words = command.split(' ').filter((word) => word !== '')

    const { code, stdout, stderr } = await earshot(NOWHERE, [...words, '--help'])

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(['Usage: earshot', ...words].join(' '))
    expect(stdout.includes('--json')).toBe(COMMANDS.includes(command))
  })

  test('names every command', async () => {
    const { stdout } = await earshot(NOWHERE, ['--help'])

    const named = stdout.match(/^ {2}[a-z]+/gm)?.map((name) => name.trim())
    const groups = [...GROUPS, ...COMMANDS].map((command) => command.split(' ')[0])
    expect(new Set(named)).toEqual(new Set([...ROLES, ...groups, 'help'].filter(Boolean)))
  })
})

describe.concurrent('earshot', () => {
  test('--version prints the version alone', async () => {
    const outcome = await earshot(NOWHERE, ['--version'])

    expect(outcome).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' })
  })

  test.each([
    { args: [], reason: /Usage: earshot/ },
    { args: ['keys'], reason: /Usage: earshot keys/ },
    { args: ['watchers'], reason: /Usage: earshot watchers/ },
    { args: ['runs'], reason: /Usage: earshot runs/ },
    { args: ['webhooks'], reason: /Usage: earshot webhooks/ },
    { args: ['deliveries'], reason: /Usage: earshot deliveries/ },
    { args: ['import'], reason: /missing required argument 'file'/ },
    { args: ['backfill', 'wat_x'], reason: /'--since <date>' not specified/ },
    { args: ['begin'], reason: /unknown command 'begin'/ },
    { args: ['keys', 'destroy'], reason: /unknown command 'destroy'/ },
    { args: ['--jsno'], reason: /unknown option '--jsno'/ },
    { args: ['doctor', 'now'], reason: /too many arguments/ },
    { args: ['backup'], reason: /missing required argument 'file'/ },
  ])('refuses $args', async ({ args, reason }) => {
    expectRefusal(await earshot(NOWHERE, args), reason)
  })
})
