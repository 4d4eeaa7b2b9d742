// The service itself: `serve` answers HTTP, `crawl` and `work` take jobs, `all` is the three in one
// process. All of them stop on SIGTERM or SIGINT: nothing new, what runs is finished or given back.

import { once } from 'node:events'
import type { Command } from 'commander'
import { anyPersonExists } from '../accounts/person-store.ts'
import { openApp, type App } from '../app.ts'
import { environment, readConfig, type Config } from '../config.ts'
import { startServer } from '../http/server.ts'
import type { QueueName } from '../jobs/job.ts'
import { JOBS } from '../jobs/registry.ts'
import { startSender } from '../jobs/sender.ts'
import { startWorker } from '../jobs/worker.ts'
import { configureLogs, programLog } from '../logger.ts'
import { VERSION } from '../version.ts'
import { logStream } from './log-stream.ts'

interface Role {
  description: string
  http: boolean
  queues: QueueName[]
}

const ROLES: Record<string, Role> = {
  all: {
    description: 'run the whole service in one process',
    http: true,
    queues: ['crawl', 'work'],
  },
  serve: { description: 'answer HTTP requests', http: true, queues: [] },
  crawl: { description: 'fetch the watched channels', http: false, queues: ['crawl'] },
  work: { description: 'do the background work', http: false, queues: ['work'] },
}

export function addRoles(program: Command): void {
  for (const [name, role] of Object.entries(ROLES)) {
    program
      .command(name)
      .description(role.description)
      .action(() => run(name, role))
  }
}

async function run(name: string, role: Role): Promise<void> {
  const stopped = stopSignal()
  const config = readConfig(environment())
  configureLogs({ level: config.log.level, stream: logStream(config.log.format, process.stdout) })
  programLog.info(summaryOf(name, config), 'starting')
  for (const setting of config.unknownSettings) {
    programLog.warn({ setting }, 'this setting is not known: is it misspelt?')
  }

  await using app = await openApp(config)
  await using parts = new Parts()
  await startParts(app, role, parts)
  const signal = await stopped
  programLog.info({ signal }, 'stopping: what runs is finished first')
  await parts[Symbol.asyncDispose]()
  programLog.info('stopped')
}

/** What runs, to be stopped all at once: also when one of them could not be started. */
class Parts implements AsyncDisposable {
  readonly #parts: AsyncDisposable[] = []

  add(part: AsyncDisposable): void {
    this.#parts.push(part)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#parts.splice(0).map((part) => part[Symbol.asyncDispose]()))
  }
}

async function startParts(app: App, { http, queues }: Role, parts: Parts): Promise<void> {
  // Each queue has hands of its own: slow platforms do not hold up the rest.
  for (const queue of queues) parts.add(await startWorker(app, { queues: [queue], jobs: JOBS }))
  if (queues.includes('work')) parts.add(await startSender(app))
  if (http) {
    const server = await startServer(app)
    parts.add(server)
    programLog.info({ url: server.url, docs: `${server.url}/docs` }, 'ready')
    if (!(await anyPersonExists(app.db))) {
      programLog.warn(
        'no account yet: make the first with `bin/earshot init --email you@example.com --org "My organization"`',
      )
    }
  }
  if (!http) programLog.info({ queues }, 'ready')
}

/** A second signal does not wait: whoever sends it wants an end. */
async function stopSignal(): Promise<string> {
  const [signal] = await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
  for (const again of ['SIGTERM', 'SIGINT']) process.once(again, () => process.exit(1))
  return String(signal)
}

/** Enough to see what was meant; of secrets only whether they are set. */
function summaryOf(role: string, config: Config) {
  return {
    version: VERSION,
    node: process.versions.node,
    role,
    production: config.production,
    database: config.database.url === undefined ? config.database.path : 'postgres',
    secret: config.secret === undefined ? 'generated' : 'set',
    ratePerMinute: config.http.ratePerMinute,
    forum: config.sources.forum.credentials === null ? 'feeds' : 'api',
  }
}
