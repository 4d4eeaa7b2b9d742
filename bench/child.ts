import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const TICKS_PER_SECOND = 100
const LOOK_EVERY_MS = 50

export interface Started<Found> {
  child: ChildProcess
  found: Found
}

/**
 * Starts a program with this Node, its output in a file as under a service manager, and waits for
 * the first line that `find` makes something of.
 */
export async function startChild<Found>(
  args: readonly string[],
  { env, output }: { env: Record<string, string>; output: string },
  find: (line: string) => Found | undefined,
): Promise<Started<Found>> {
  const file = openSync(output, 'w')
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', file, 'inherit'],
  })
  closeSync(file)
  while (child.exitCode === null) {
    const lines = readFileSync(output, 'utf8').split('\n').slice(0, -1)
    const found = lines.map(find).find((result) => result !== undefined)
    if (found !== undefined) return { child, found }
    await sleep(LOOK_EVERY_MS)
  }
  throw new Error(`${args.join(' ')} ended with ${child.exitCode}`)
}

export async function stopChild(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** Processor time the process has used so far, in seconds (Linux). */
export function cpuSeconds({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}
