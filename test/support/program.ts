// The real program in a process of its own, as a user starts it.

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Place } from './place.ts'

const ROOT = join(import.meta.dirname, '../..')
const EARSHOT = join(ROOT, 'bin/earshot')

export interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

interface RunOptions {
  /** On top of the place's variables. */
  variables?: Record<string, string>
  input?: string
}

/** Runs a command to its end. */
export async function earshot(
  place: Pick<Place, 'variables'>,
  args: readonly string[],
  { variables = {}, input }: RunOptions = {},
): Promise<Outcome> {
  const child = spawnEarshot(place, args, variables)
  child.stdin.end(input ?? '')
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { code, stdout, stderr }
}

/** Runs a command with --json and returns the object it printed; fails when it failed. */
export async function earshotJson<Report>(
  place: Pick<Place, 'variables'>,
  args: readonly string[],
): Promise<Report> {
  const { code, stdout, stderr } = await earshot(place, [...args, '--json'])
  if (code !== 0) throw new Error(`earshot ${args.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout)
}

export interface RunningService extends AsyncDisposable {
  url: string
  child: ChildProcessWithoutNullStreams
  /** Everything it logged so far. */
  log(): string
  stop(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts a role and waits until it says where it listens. */
export async function startService(
  place: Pick<Place, 'variables'>,
  role = 'all',
  variables: Record<string, string> = {},
): Promise<RunningService> {
  const child = spawnEarshot(place, [role], { LOG_LEVEL: 'info', ...variables })
  const exited = once(child, 'exit')
  let log = ''
  child.stderr.on('data', (chunk) => (log += chunk))
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      log += chunk
      const ready = log.split('\n').find((line) => line.includes('"msg":"ready"'))
      if (ready !== undefined) resolve(JSON.parse(ready).url ?? '')
    })
    child.once('exit', (code) => reject(new Error(`earshot ${role} ended with ${code}:\n${log}`)))
  })
  const stop = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    await exited
    return child.exitCode
  }
  return {
    url,
    child,
    stop,
    log: () => log,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await stop('SIGKILL')
    },
  }
}

function spawnEarshot(
  { variables }: Pick<Place, 'variables'>,
  args: readonly string[],
  more: Record<string, string>,
): ChildProcessWithoutNullStreams {
  const env = { PATH: process.env['PATH'] ?? '', ...variables, ...more }
  return spawn(EARSHOT, args, { cwd: variables['EARSHOT_DATA_DIR'] ?? ROOT, env })
}
