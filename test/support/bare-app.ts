// The app without its HTTP door, at a time that stands still until a test moves it.
// `await using home = await bareApp('sqlite')`.

import { openApp, type App } from '#src/app.ts'
import { readConfig } from '#src/config.ts'
import type { EngineName } from '#src/db/database.ts'
import { configureLogs } from '#src/logger.ts'
import { testPlace } from './place.ts'

/** When it starts. */
export const NOW = 1_763_000_000_000

/** Tests of workers are about what a job does when it is told to end, not about losing patience. */
const PATIENT = { EARSHOT_SHUTDOWN_TIMEOUT_MS: '10000' }

export interface BareApp extends AsyncDisposable {
  app: App
  advance(ms: number): void
  /** A further process's worth of app on the same data and the same time. */
  another(): Promise<App>
}

export async function bareApp(engine: EngineName): Promise<BareApp> {
  configureLogs({ level: 'silent', stream: { write: () => {} } })
  const place = await testPlace(engine)
  let now = NOW
  const apps: App[] = []
  const another = async (): Promise<App> => {
    const app = await openApp(readConfig({ ...place.variables, ...PATIENT }), () => now)
    apps.push(app)
    return app
  }
  return {
    app: await another(),
    another,
    advance: (ms) => void (now += ms),
    async [Symbol.asyncDispose]() {
      for (const app of apps) await app[Symbol.asyncDispose]()
      await place[Symbol.asyncDispose]()
    },
  }
}
