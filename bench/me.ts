// How much of a bare Fastify server's throughput is left of GET /v1/me after authentication, rate
// limit, security headers, metrics and a log line per request.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopChild } from './child.ts'
import {
  loadInTurns,
  MAIN,
  medianOf,
  startBare,
  startEarshot,
  type Round,
  type Target,
} from './http-load.ts'
import { printTable } from './table.ts'

const TERMS = { connections: 64, rounds: 5, roundS: 4, warmUpS: 3 }

export async function benchMe(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'earshot-bench-'))
  const env = {
    EARSHOT_DATA_DIR: home,
    PORT: '0',
    EARSHOT_RATE_LIMIT: '1000000000', // on, and out of the way
  }
  try {
    const headers = { authorization: `Bearer ${makeKey(env)}` }
    const { child, found } = await startEarshot(env, join(home, 'earshot.log'))
    const earshot: Target = { name: 'Earshot', child, url: `${found}/v1/me`, headers }
    const targets = [await startBare(earshot, join(home, 'bare.log')), earshot]
    report(await loadInTurns(targets, TERMS))
    for (const target of targets) await stopChild(target.child)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

function report(rounds: Map<string, Round[]>): void {
  const bare = rounds.get('bare Fastify') ?? []
  const figure = (own: readonly Round[], name: keyof Round) => medianOf(own, name).toFixed(0)
  const ratio = (own: readonly Round[], name: keyof Round) =>
    (medianOf(own, name) / medianOf(bare, name)).toFixed(2)
  const rows = [...rounds].map(([name, own]) => [
    name,
    figure(own, 'perSecond'),
    ratio(own, 'perSecond'),
    figure(own, 'perCpuSecond'),
    ratio(own, 'perCpuSecond'),
    figure(own, 'p99Ms'),
  ])
  const { connections, rounds: count } = TERMS
  process.stdout.write(`\nGET /v1/me, ${connections} connections, median of ${count} rounds\n\n`)
  printTable(['server', 'requests/s', '×', 'requests/CPU s', '×', 'p99 ms'], rows)
}

function makeKey(env: Record<string, string>): string {
  const run = (...args: string[]) =>
    JSON.parse(
      execFileSync(process.execPath, [MAIN, ...args, '--json'], {
        env: { PATH: process.env['PATH'] ?? '', ...env },
        encoding: 'utf8',
      }),
    )
  run('init', '--email', 'bench@example.com', '--password', 'correct horse', '--org', 'Bench')
  return run('keys', 'create', '--name', 'bench').key
}
