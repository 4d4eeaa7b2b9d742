// A command that is looked at, or interrupted, while it runs.

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Place } from './place.ts'
import type { Outcome } from './program.ts'

const EARSHOT = join(import.meta.dirname, '../../bin/earshot')

interface StartedCommand extends AsyncDisposable {
  child: ChildProcessWithoutNullStreams
  ended: Promise<Outcome>
}

/** Not waited for. What still runs at the end of the scope is killed. */
export function startCommand(
  { variables }: Pick<Place, 'variables'>,
  args: readonly string[],
  input: string | Uint8Array = '',
): StartedCommand {
  const child = spawn(EARSHOT, args, { env: { PATH: process.env['PATH'] ?? '', ...variables } })
  child.stdin.end(input)
  const ended = outcomeOf(child)
  return {
    child,
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function outcomeOf(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { code, stdout, stderr }
}
