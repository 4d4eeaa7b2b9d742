// The command line: which commands there are. Each is in its own file, and only that of the command
// that was given is loaded: loading all of them takes as long as most commands do.

import { Command, CommanderError } from 'commander'
import { VERSION } from '../version.ts'
import { messageOf } from './failure.ts'
import { complain } from './output.ts'

type Add = (program: Command) => void

/** In the order of the help. */
const COMMANDS: Record<string, () => Promise<Add>> = {
  roles: async () => (await import('./roles.ts')).addRoles,
  init: async () => (await import('./init.ts')).addInit,
  org: async () => (await import('./org.ts')).addOrg,
  keys: async () => (await import('./keys.ts')).addKeys,
  watchers: async () => (await import('./watchers.ts')).addWatchers,
  runs: async () => (await import('./runs.ts')).addRuns,
  webhooks: async () => (await import('./webhooks.ts')).addWebhooks,
  deliveries: async () => (await import('./deliveries.ts')).addDeliveries,
  listen: async () => (await import('./listen.ts')).addListen,
  import: async () => (await import('./import.ts')).addImport,
  backfill: async () => (await import('./backfill.ts')).addBackfill,
  export: async () => (await import('./export.ts')).addExport,
  simulate: async () => (await import('./simulate.ts')).addSimulate,
  migrate: async () => (await import('./migrate.ts')).addMigrate,
  doctor: async () => (await import('./doctor.ts')).addDoctor,
  backup: async () => (await import('./backup.ts')).addBackup,
  restore: async () => (await import('./restore.ts')).addRestore,
}

/** They run until they are stopped, and tell nothing. */
const ROLES = new Set(['all', 'serve', 'crawl', 'work'])

/** Runs what the arguments say and returns the exit code. */
export async function runProgram(args: readonly string[]): Promise<number> {
  const program = new Command('earshot')
    .description('Watches discussion platforms for you.')
    .version(VERSION)
  for (const load of loadersFor(args[0] ?? '')) (await load())(program)
  prepare(program)

  try {
    await program.parseAsync(args, { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    complain(messageOf(error))
    return 1
  }
}

/** Whatever is no command, `--help` for example, is about all of them. */
function loadersFor(first: string): (() => Promise<Add>)[] {
  const name = ROLES.has(first) ? 'roles' : first
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  return load === undefined ? Object.values(COMMANDS) : [load]
}

/** Every command that tells something can tell it to a machine; none ends the process by itself. */
function prepare(command: Command): void {
  command.exitOverride().showHelpAfterError('(--help shows what is accepted)')
  for (const child of command.commands) prepare(child)
  if (command.commands.length === 0 && !ROLES.has(command.name())) {
    command.option('--json', 'print one JSON object instead of text')
  }
}
