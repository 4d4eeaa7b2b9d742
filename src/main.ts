// The one executable: a role of the service, or a command.

import { runProgram } from './cli/program.ts'

process.exitCode = await runProgram(process.argv.slice(2))
