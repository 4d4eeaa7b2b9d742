// How every command runs: read the configuration, open what it needs, do it, say it, close.

import type { Command } from 'commander'
import { openApp, type App } from '../app.ts'
import { environment, readConfig, type Config } from '../config.ts'
import { configureLogs } from '../logger.ts'
import { print, type CommandResult } from './output.ts'
import { logStream } from './log-stream.ts'

type Options = Record<string, unknown>

/** A command that works with the database, whether or not the service runs meanwhile. */
export function withApp<Given extends Options>(
  run: (app: App, options: Given, args: string[]) => Promise<CommandResult>,
) {
  return withConfig<Given>(async (config, options, args) => {
    await using app = await openApp(config)
    return await run(app, options, args) // awaited here, before the app is closed
  })
}

/** A command that opens what it needs itself. */
export function withConfig<Given extends Options>(
  run: (config: Config, options: Given, args: string[]) => Promise<CommandResult>,
) {
  return async (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command
    const options = command.optsWithGlobals<Given & { json?: boolean }>()
    const config = readConfig(environment())
    // Stdout belongs to the result; what goes wrong on the way is told on stderr.
    configureLogs({ level: 'warn', stream: logStream(config.log.format, process.stderr) })
    const result = await run(config, options, command.args)
    print(result, options.json ?? false)
    process.exitCode = result.exitCode ?? 0
  }
}
