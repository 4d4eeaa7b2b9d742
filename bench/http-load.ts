// Load on a server in a process of its own, and the bare Fastify server that sends the same bytes:
// the yardstick.

import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { cpuSeconds, startChild, type Started } from './child.ts'
import { median } from './table.ts'

export const MAIN = join(import.meta.dirname, '../src/main.ts')
const BARE = join(import.meta.dirname, 'bare-server.ts')

export interface Target {
  name: string
  child: ChildProcess
  url: string
  method?: 'GET' | 'POST'
  headers: Record<string, string>
  /** Sent in turns. */
  bodies?: readonly string[]
}

export interface Round {
  perSecond: number
  perCpuSecond: number
  p99Ms: number
}

export interface LoadTerms {
  connections: number
  rounds: number
  roundS: number
  warmUpS: number
}

/** `earshot serve`, and where it listens. */
export function startEarshot(
  env: Record<string, string>,
  output: string,
): Promise<Started<string>> {
  return startChild([MAIN, 'serve'], { env, output }, urlIn)
}

/** A bare server that answers as this target just did. */
export async function startBare(target: Target, output: string): Promise<Target> {
  const { url, method = 'GET', headers, bodies: [body] = [] } = target
  const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) })
  if (!answer.ok) throw new Error(`${method} ${url} was answered ${answer.status}.`)
  const imitation = JSON.stringify({
    path: new URL(url).pathname,
    headers: Object.fromEntries(answer.headers),
    body: await answer.text(),
  })
  const { child, found } = await startChild([BARE, imitation], { env: {}, output }, (line) => line)
  const { pathname, search } = new URL(url)
  return {
    ...target,
    name: 'bare Fastify',
    child,
    url: `http://127.0.0.1:${found}${pathname}${search}`,
  }
}

/** In turns, so that what else the machine does meets all alike. */
export async function loadInTurns(
  targets: readonly Target[],
  terms: LoadTerms,
): Promise<Map<string, Round[]>> {
  const rounds = new Map<string, Round[]>(targets.map(({ name }) => [name, []]))
  for (const target of targets) await load(target, terms.connections, terms.warmUpS)
  for (let round = 0; round < terms.rounds; round += 1) {
    for (const target of targets) {
      rounds.get(target.name)?.push(await load(target, terms.connections, terms.roundS))
    }
  }
  return rounds
}

async function load(target: Target, connections: number, duration: number): Promise<Round> {
  const { url, method = 'GET', headers, bodies = [], child } = target
  const before = cpuSeconds(child)
  const requests = bodies.map((body) => ({ body }))
  const result = await autocannon({
    url,
    method,
    headers,
    connections,
    duration,
    ...(requests.length > 0 && { requests }),
  })
  const failures = result.errors + result.non2xx
  if (failures > 0) throw new Error(`${failures} requests to ${url} failed.`)
  const total = result.requests.total
  return {
    perSecond: total / result.duration,
    perCpuSecond: total / (cpuSeconds(child) - before),
    p99Ms: result.latency.p99,
  }
}

export function medianOf(rounds: readonly Round[], figure: keyof Round): number {
  return median(rounds.map((round) => round[figure]))
}

function urlIn(line: string): string | undefined {
  const { msg, url } = JSON.parse(line)
  return msg === 'ready' ? url : undefined
}
