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
  /** A program that starts it, with its arguments: `setpriv …`, for example. */
  through?: readonly string[]
}

/** What hangs is ended, so that its test fails and nothing is left behind. */
const LONGEST_MS = 30_000

/** Runs a command to its end. */
export async function earshot(
  place: Pick<Place, 'variables'>,
  args: readonly string[],
  { variables = {}, input, through = [] }: RunOptions = {},
): Promise<Outcome> {
  const child = spawnEarshot(place, args, { variables, through })
  const deadline = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS)
  child.stdin.end(input ?? '')
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  clearTimeout(deadline)
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
  const child = spawnEarshot(place, [role], {
    variables: { LOG_LEVEL: 'info', ...variables },
    through: [],
  })
  const ended = once(child, 'close') // and everything it logged has been read
  const deadline = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS)
  let log = ''
  child.stderr.on('data', (chunk) => (log += chunk))
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      log += chunk
      const ready = log.split('\n').find((line) => line.includes('"msg":"ready"'))
      if (ready !== undefined) resolve(JSON.parse(ready).url ?? '')
    })
    child.once('exit', (code) => reject(new Error(`earshot ${role} ended with ${code}:\n${log}`)))
  }).finally(() => clearTimeout(deadline))
  const stop = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    await ended
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

/** Starts several at once; all of them end with the scope, or when one cannot start. */
export async function startTogether(
  place: Pick<Place, 'variables'>,
  count: number,
): Promise<AsyncDisposable & { services: RunningService[] }> {
  const starts = Array.from({ length: count }, () => startService(place))
  const outcomes = await Promise.allSettled(starts)
  const services = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const end = async (): Promise<void> => {
    for (const service of services) await service[Symbol.asyncDispose]()
  }
  if (services.length < count) await end()
  await Promise.all(starts)
  return { services, [Symbol.asyncDispose]: end }
}

function spawnEarshot(
  place: Pick<Place, 'variables'>,
  args: readonly string[],
  { variables, through }: Required<Pick<RunOptions, 'variables' | 'through'>>,
): ChildProcessWithoutNullStreams {
  const env = {
    PATH: process.env['PATH'] ?? '',
    ...place.variables,
    ...variables,
  }
  const [program = EARSHOT, ...rest] = [...through, EARSHOT, ...args]
  return spawn(program, rest, { cwd: place.variables['EARSHOT_DATA_DIR'] ?? ROOT, env })
}
