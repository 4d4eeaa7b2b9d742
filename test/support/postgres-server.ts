// The tests' PostgreSQL: the server named by TEST_DATABASE_URL, or a private one that is started
// before the first test and stopped after the last. There is no third way: without a server the
// run fails rather than test one engine only.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { findBinaries, type Binaries } from './postgres-binaries.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

const START_TIMEOUT_MS = 30_000

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL']
  if (given) {
    project.provide('postgresUrl', given)
    return async () => {}
  }
  const server = await startPostgres()
  project.provide('postgresUrl', server.url)
  return server.stop
}

export interface PostgresServer {
  url: string
  stop(): Promise<void>
}

/** `durable`: as in production, for benchmarks. */
export async function startPostgres({ durable = false } = {}): Promise<PostgresServer> {
  const home = mkdtempSync(join(tmpdir(), 'earshot-postgres-'))
  try {
    return await startIn(home, durable)
  } catch (error) {
    rmSync(home, { recursive: true, force: true })
    throw error
  }
}

async function startIn(home: string, durable: boolean): Promise<PostgresServer> {
  const owner = serverUser()
  const folder = prepare(findBinaries(process.env['TEST_POSTGRES']), home, owner)
  initialise(folder, home, owner)
  const port = await freePort()
  const server = spawn(
    join(folder, 'postgres'),
    ['-D', join(home, 'cluster'), '-p', String(port), ...serverOptions(durable)],
    { ...owner, cwd: home, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const url = `postgres://earshot@127.0.0.1:${port}/postgres`
  await ready(server, url)
  return { url, stop: () => stop(server, home) }
}

/** A test's database lives for seconds: what a power cut would do to it is of no interest. */
function serverOptions(durable: boolean): string[] {
  const options = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    `fsync=${durable ? 'on' : 'off'}`,
  ]
  return options.flatMap((option) => ['-c', option])
}

/** PostgreSQL refuses to run as root, so root lends it the user that exists for such things. */
function serverUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  const line = ['postgres', 'nobody']
    .map((name) => lines.find((entry) => entry.startsWith(`${name}:`)))
    .find((entry) => entry !== undefined)
  if (line === undefined) throw new Error('There is no user postgres or nobody to run as.')
  const [, , uid, gid] = line.split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

function prepare(
  { folder, embedded }: Binaries,
  home: string,
  { uid, gid }: { uid?: number; gid?: number },
): string {
  mkdirSync(join(home, 'cluster'))
  if (uid === undefined || gid === undefined) return folder
  chmodSync(home, 0o755)
  chownSync(join(home, 'cluster'), uid, gid)
  if (!embedded) return folder
  // node_modules may lie where only root can read.
  cpSync(dirname(folder), join(home, 'native'), { recursive: true })
  return join(home, 'native', 'bin')
}

/** A language's own order of letters, as most servers have: what relies on byte order must say so. */
function initialise(folder: string, home: string, owner: { uid?: number; gid?: number }): void {
  const common = ['-D', join(home, 'cluster'), '-U', 'earshot', '--auth=trust', '--encoding=UTF8']
  const locales = [['--locale-provider=icu', '--icu-locale=en-US', '--locale=C'], ['--locale=C']]
  const outcomes = locales.map(
    (locale) => () =>
      spawnSync(join(folder, 'initdb'), [...common, '--no-sync', ...locale], {
        ...owner,
        cwd: home,
        encoding: 'utf8',
      }),
  )
  const errors: string[] = []
  for (const attempt of outcomes) {
    const { status, stderr } = attempt()
    if (status === 0) return
    errors.push(stderr)
  }
  throw new Error(`initdb failed:\n${errors.join('\n')}`)
}

async function ready(server: ChildProcess, url: string): Promise<void> {
  let said = ''
  server.stderr?.on('data', (chunk) => (said = (said + chunk).slice(-4_000)))
  const deadline = Date.now() + START_TIMEOUT_MS
  while (Date.now() < deadline && server.exitCode === null) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      await sleep(50)
    }
  }
  server.kill('SIGKILL')
  throw new Error(`PostgreSQL did not start:\n${said}`)
}

/** SIGINT is PostgreSQL's fast shutdown: it ends every connection and does not wait. */
async function stop(server: ChildProcess, home: string): Promise<void> {
  if (server.exitCode === null) {
    server.kill('SIGINT')
    await once(server, 'exit')
  }
  rmSync(home, { recursive: true, force: true })
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('No port was given.')
  return address.port
}
