// How much of a bare Fastify server's throughput is left of GET /v1/me after authentication, rate
// limit, security headers, metrics and a log line per request.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChildProcess } from 'node:child_process'
import autocannon from 'autocannon'
import { cpuSeconds, startChild, stopChild } from './child.ts'
import { median, printTable } from './table.ts'

const CONNECTIONS = 64
const ROUNDS = 5
const ROUND_S = 4
const WARM_UP_S = 3
const MAIN = join(import.meta.dirname, '../src/main.ts')
const BARE = join(import.meta.dirname, 'bare-server.ts')

interface Target {
  name: string
  child: ChildProcess
  url: string
  headers: Record<string, string>
}

interface Round {
  perSecond: number
  perCpuSecond: number
  p99Ms: number
}

export async function benchMe(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'earshot-bench-'))
  const env = {
    EARSHOT_DATA_DIR: home,
    PORT: '0',
    EARSHOT_RATE_LIMIT: '1000000000', // on, and out of the way
  }
  try {
    const headers = { authorization: `Bearer ${makeKey(env)}` }
    const earshot = await startChild(
      [MAIN, 'serve'],
      { env, output: join(home, 'earshot.log') },
      urlIn,
    )
    const url = `${earshot.found}/v1/me`
    const answer = await fetch(url, { headers })
    const imitation = JSON.stringify({
      headers: Object.fromEntries(answer.headers),
      body: await answer.text(),
    })
    const bare = await startChild(
      [BARE, imitation],
      { env: {}, output: join(home, 'bare.log') },
      (line) => line,
    )
    const targets: Target[] = [
      {
        name: 'bare Fastify',
        child: bare.child,
        url: `http://127.0.0.1:${bare.found}/v1/me`,
        headers,
      },
      { name: 'Earshot', child: earshot.child, url, headers },
    ]
    const rounds = await measure(targets)
    report(rounds)
    for (const { child } of targets) await stopChild(child)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** In turns, so that what else the machine does meets both alike. */
async function measure(targets: readonly Target[]): Promise<Map<string, Round[]>> {
  const rounds = new Map<string, Round[]>(targets.map(({ name }) => [name, []]))
  for (const target of targets) await load(target, WARM_UP_S)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const target of targets) rounds.get(target.name)?.push(await load(target, ROUND_S))
  }
  return rounds
}

async function load({ url, headers, child }: Target, duration: number): Promise<Round> {
  const before = cpuSeconds(child)
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration })
  const failures = result.errors + result.non2xx
  if (failures > 0) throw new Error(`${failures} requests to ${url} failed.`)
  const total = result.requests.total
  return {
    perSecond: total / result.duration,
    perCpuSecond: total / (cpuSeconds(child) - before),
    p99Ms: result.latency.p99,
  }
}

function report(rounds: Map<string, Round[]>): void {
  const bare = rounds.get('bare Fastify') ?? []
  const rows = [...rounds].map(([name, own]) => [
    name,
    figure(own, ({ perSecond }) => perSecond),
    ratio(own, bare, ({ perSecond }) => perSecond),
    figure(own, ({ perCpuSecond }) => perCpuSecond),
    ratio(own, bare, ({ perCpuSecond }) => perCpuSecond),
    figure(own, ({ p99Ms }) => p99Ms),
  ])
  process.stdout.write(`\nGET /v1/me, ${CONNECTIONS} connections, median of ${ROUNDS} rounds\n\n`)
  printTable(['server', 'requests/s', '×', 'requests/CPU s', '×', 'p99 ms'], rows)
}

function figure(rounds: readonly Round[], of: (round: Round) => number): string {
  return median(rounds.map(of)).toFixed(0)
}

function ratio(
  rounds: readonly Round[],
  bare: readonly Round[],
  of: (round: Round) => number,
): string {
  return (median(rounds.map(of)) / median(bare.map(of))).toFixed(2)
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

function urlIn(line: string): string | undefined {
  const { msg, url } = JSON.parse(line)
  return msg === 'ready' ? url : undefined
}
