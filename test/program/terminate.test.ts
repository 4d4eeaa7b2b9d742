import { Client as Connection } from 'undici'
import { describe, expect, test } from 'vitest'
import { foundedPlace, type FoundedPlace } from '#test/support/founded-place.ts'
import { ENGINES, testPlace } from '#test/support/place.ts'
import {
  earshotJson,
  startService,
  startTogether,
  type RunningService,
} from '#test/support/program.ts'
import { OWNER } from '#test/support/test-app.ts'

const CONNECTIONS = 64

/** The default, which the tests' place shortens. */
const PATIENT = { EARSHOT_SHUTDOWN_TIMEOUT_MS: '25000', EARSHOT_LOGIN_RATE_LIMIT: '0' }

interface Sent {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
}

describe.each(ENGINES)('SIGTERM on %s', (engine) => {
  test('fails no request that was accepted while 64 connections ask without a pause', async () => {
    await using place = await foundedPlace(engine)
    const { key } = await createKey(place)
    await using service = await startService(place, 'all', PATIENT)
    await using load = await Load.start(service, {
      method: 'GET',
      path: '/v1/me',
      headers: { authorization: `Bearer ${key}` },
    })
    await load.answered(CONNECTIONS * 20)

    const code = await service.stop('SIGTERM')

    const { statuses, failures } = await load.ended()
    expect(failures).toEqual([])
    expect([...statuses]).toEqual([200])
    expect(code).toBe(0)
  })

  test('waits for slow requests that are under way', async () => {
    await using place = await foundedPlace(engine)
    await using service = await startService(place, 'serve', PATIENT)
    await using load = await Load.start(service, {
      method: 'POST',
      path: '/api/session',
      headers: { 'content-type': 'application/json', origin: service.url },
      body: JSON.stringify(OWNER),
    })
    await load.answered(1) // the other 63 wait for their password to be checked

    const code = await service.stop('SIGTERM')

    const { statuses, failures } = await load.ended()
    expect(failures).toEqual([])
    expect([...statuses]).toEqual([200])
    expect(code).toBe(0)
  })

  test('makes /readyz say 503 on a connection that is still open', async () => {
    await using place = await foundedPlace(engine)
    await using service = await startService(place, 'serve', PATIENT)
    const [first, second] = [new Connection(service.url), new Connection(service.url)]
    const ready = await Promise.all([ask(first, '/readyz'), ask(second, '/readyz')])

    const stopped = service.stop('SIGTERM')
    await drainBegins(first)
    const draining = await ask(second, '/readyz')

    expect(ready.map(({ status }) => status)).toEqual([200, 200])
    expect(draining).toEqual({ status: 503, connection: 'close' })
    expect(await stopped).toBe(0)
  })

  test.each(['work', 'crawl'])('ends `%s` with exit code 0', async (role) => {
    await using place = await foundedPlace(engine)
    await using worker = await startService(place, role, PATIENT)

    expect(await worker.stop('SIGTERM')).toBe(0)
  })
})

test('a second signal does not wait for what is under way', async () => {
  await using place = await testPlace('sqlite')
  await using service = await startService(place, 'serve', PATIENT)
  const connection = new Connection(service.url)
  await ask(connection, '/healthz')

  const stopped = service.stop('SIGTERM')
  await drainBegins(connection)
  service.child.kill('SIGTERM')

  expect(await stopped).toBe(1)
})

test('two processes that start together on an empty PostgreSQL both get ready', async () => {
  await using place = await testPlace('postgres')

  await using group = await startTogether(place, 2)

  const answers = group.services.map(async ({ url }) => (await fetch(`${url}/readyz`)).status)
  expect(await Promise.all(answers)).toEqual([200, 200])
})

/**
 * One request at a time on each of many connections that are kept alive. A request counts as
 * accepted unless its connection was refused; a connection that was refused sends no more.
 */
class Load implements AsyncDisposable {
  readonly #connections: Connection[]
  readonly #statuses = new Set<number>()
  readonly #failures: string[] = []
  readonly #sent: Sent
  #answers = 0
  #done: Promise<unknown> = Promise.resolve()
  #onAnswer = (): void => {}

  private constructor(connections: Connection[], sent: Sent) {
    this.#connections = connections
    this.#sent = sent
  }

  static async start({ url }: RunningService, sent: Sent): Promise<Load> {
    const connections = Array.from({ length: CONNECTIONS }, () => new Connection(url))
    await Promise.all(connections.map((connection) => ask(connection, '/healthz')))
    const load = new Load(connections, sent)
    load.#done = Promise.all(connections.map((connection) => load.#run(connection)))
    return load
  }

  answered(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#onAnswer = () => {
        if (this.#answers >= count) resolve()
      }
    })
  }

  /** When the last connection was refused. */
  async ended(): Promise<{ statuses: Set<number>; failures: string[] }> {
    await this.#done
    return { statuses: this.#statuses, failures: this.#failures }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.destroy()))
  }

  async #run(connection: Connection): Promise<void> {
    try {
      for (;;) {
        const { statusCode, body } = await connection.request(this.#sent)
        JSON.parse(await body.text()) // it came as a whole
        this.#statuses.add(statusCode)
        this.#answers += 1
        this.#onAnswer()
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED')
        this.#failures.push(String(error))
    }
  }
}

/** From then on every answer asks to close the connection. */
async function drainBegins(connection: Connection): Promise<void> {
  while ((await ask(connection, '/healthz')).connection !== 'close') continue
}

async function ask(
  connection: Connection,
  path: string,
): Promise<{ status: number; connection: unknown }> {
  const { statusCode, headers, body } = await connection.request({ method: 'GET', path })
  await body.dump()
  return { status: statusCode, connection: headers['connection'] }
}

function createKey(place: FoundedPlace): Promise<{ key: string }> {
  return earshotJson(place, ['keys', 'create', '--name', 'a key'])
}
