// The command line: which commands there are. Each is in its own file.

import { Command, CommanderError } from 'commander'
import { VERSION } from '../version.ts'
import { addBackfill } from './backfill.ts'
import { addBackup } from './backup.ts'
import { addDoctor } from './doctor.ts'
import { addExport } from './export.ts'
import { messageOf } from './failure.ts'
import { addImport } from './import.ts'
import { addInit } from './init.ts'
import { addKeys } from './keys.ts'
import { addMigrate } from './migrate.ts'
import { addOrg } from './org.ts'
import { complain } from './output.ts'
import { addRestore } from './restore.ts'
import { addRoles, isRole } from './roles.ts'
import { addRuns } from './runs.ts'
import { addSimulate } from './simulate.ts'
import { addWatchers } from './watchers.ts'

const COMMANDS = [
  addInit,
  addOrg,
  addKeys,
  addWatchers,
  addRuns,
  addImport,
  addBackfill,
  addExport,
  addSimulate,
  addMigrate,
  addDoctor,
  addBackup,
  addRestore,
]

/** Runs what the arguments say and returns the exit code. */
export async function runProgram(args: readonly string[]): Promise<number> {
  const program = new Command('earshot')
    .description('Watches discussion platforms for you.')
    .version(VERSION)
  addRoles(program)
  for (const add of COMMANDS) add(program)
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

/** Every command that tells something can tell it to a machine; none ends the process by itself. */
function prepare(command: Command): void {
  command.exitOverride().showHelpAfterError('(--help shows what is accepted)')
  for (const child of command.commands) prepare(child)
  if (command.commands.length === 0 && !isRole(command.name())) {
    command.option('--json', 'print one JSON object instead of text')
  }
}
