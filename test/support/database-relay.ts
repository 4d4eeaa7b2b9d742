// A stretch of network between the service and PostgreSQL that a test can cut, or make slow at one
// chosen answer. What goes through it is what the real driver and the real server say.

import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface DatabaseRelay extends AsyncDisposable {
  /** The database's URL by way of the relay. */
  url: string
  /** Breaks every connection and takes no new ones. */
  cut(): Promise<void>
  mend(): Promise<void>
  /** Keeps back the answer to the next query that has these words in it. */
  holdAnswerTo(words: string): HeldAnswer
}

interface HeldAnswer {
  /** The server has answered: what it read is settled, whatever happens from now on. */
  given: Promise<void>
  release(): void
}

interface Hold {
  words: string
  give(): void
  released: Promise<void>
}

export async function relayTo(databaseUrl: string): Promise<DatabaseRelay> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const holds: Hold[] = []

  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    join(near, far, holds)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`

  const cut = async () => {
    const closed = server.listening ? once(server, 'close') : undefined
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  return {
    url: url.href,
    cut,
    async mend() {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    holdAnswerTo(words) {
      const given = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      holds.push({ words, give: given.resolve, released: released.promise })
      return { given: given.promise, release: released.resolve }
    },
    [Symbol.asyncDispose]: cut,
  }
}

function join(near: Socket, far: Socket, holds: Hold[]): void {
  let held: Hold | undefined
  near.on('data', (chunk) => {
    const index = holds.findIndex(({ words }) => chunk.includes(words))
    if (index !== -1) [held] = holds.splice(index, 1)
    far.write(chunk)
  })
  far.on('data', (chunk) => {
    held?.give()
    if (held === undefined) near.write(chunk)
    else void held.released.then(() => near.write(chunk))
  })
  for (const [socket, other] of [
    [near, far],
    [far, near],
  ] as const) {
    socket.on('error', () => {}) // a cut is no failure of the test
    socket.on('close', () => other.destroy())
  }
}
