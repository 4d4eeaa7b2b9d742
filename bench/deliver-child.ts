// Processes that do what they are asked, one thing at a time, and stay warm in between.

import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** What a round took. */
export interface Spent {
  ms: number
  /** Of the process, all its threads together. */
  cpuMs: number
}

export interface Asked<Order, Answer> extends AsyncDisposable {
  ask(order: Order): Promise<Answer>
}

/** `module` as `import.meta.resolve` has it. */
export function startAsked<Order extends object, Answer>(
  module: string,
  env: Record<string, string> = {},
): Asked<Order, Answer> {
  const child = fork(fileURLToPath(module), {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    execArgv: [],
  })
  const ended = once(child, 'exit')
  return {
    ask: (order) => Promise.race([answerOf<Answer>(child, order), failed(ended, module)]),
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

async function answerOf<Answer>(child: ChildProcess, order: object): Promise<Answer> {
  const answered = once(child, 'message')
  child.send(order)
  const [answer] = await answered
  return answer
}

async function failed(ended: Promise<unknown[]>, module: string): Promise<never> {
  const [code, signal] = await ended
  throw new Error(`${module} ended with ${signal ?? code}`)
}

/** In the child. It ends when nobody can ask it any more. */
export function onAsked<Order, Answer>(answer: (order: Order) => Promise<Answer>): void {
  process.on('message', (order: Order) => {
    void answer(order).then((result) => process.send?.(result))
  })
  process.on('disconnect', () => process.exit())
}

/** What was spent since. */
export function clockwork(): () => Spent {
  const [begun, before] = [performance.now(), process.cpuUsage()]
  return () => {
    const ms = performance.now() - begun
    const { user, system } = process.cpuUsage(before)
    return { ms, cpuMs: (user + system) / 1_000 }
  }
}
