// A second process's worth of service on the same data: nothing is shared but the database.

import { openApp, type App } from '#src/app.ts'
import { readConfig } from '#src/config.ts'
import { startServer } from '#src/http/server.ts'
import type { Clock } from '#src/lib/clock.ts'
import type { TestApp } from './test-app.ts'

export interface Neighbour extends AsyncDisposable {
  app: App
  url: string
}

interface NeighbourOptions {
  /** On top of the place's variables. */
  variables?: Record<string, string>
  /** The first app's, unless a test wants to stop the time. */
  clock?: Clock
}

export async function neighbourOf(
  { app: first, place }: TestApp,
  { variables = {}, clock = first.clock }: NeighbourOptions = {},
): Promise<Neighbour> {
  const app = await openApp(readConfig({ ...place.variables, ...variables }), clock)
  const server = await startServer(app)
  return {
    app,
    url: server.url,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await app[Symbol.asyncDispose]()
    },
  }
}
