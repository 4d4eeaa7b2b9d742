// An organization at a time that stands still until a test moves it, for tests of what becomes of
// deliveries. `await using home = await stillApp('sqlite')`.

import { foundInstallation } from '#src/accounts/found.ts'
import { openApp, type App } from '#src/app.ts'
import { readConfig } from '#src/config.ts'
import type { EngineName } from '#src/db/database.ts'
import { configureLogs } from '#src/logger.ts'
import { testPlace } from './place.ts'
import { receiver } from './receiver.ts'
import { OWNER } from './test-app.ts'
import { allIn, aWebhook, told, type MadeWebhook } from './webhooks.ts'

export interface StillApp extends AsyncDisposable {
  app: App
  organizationId: string
  advance(ms: number): void
  /** A further process's worth of app on the same data and the same time. */
  another(): Promise<App>
  /** Closes every app of it, as when the machine is restarted, and opens one. */
  reopen(): Promise<App>
}

export async function stillApp(
  engine: EngineName,
  variables: Record<string, string> = {},
): Promise<StillApp> {
  configureLogs({ level: 'silent', stream: { write: () => {} } })
  const place = await testPlace(engine)
  let now = Date.now()
  const apps: App[] = []
  const another = async (): Promise<App> => {
    // These tests are about how an attempt ends, not about losing patience with it.
    const patient = { ...place.variables, EARSHOT_SHUTDOWN_TIMEOUT_MS: '20000' }
    const app = await openApp(readConfig({ ...patient, ...variables }), () => now)
    apps.push(app)
    return app
  }
  const close = async (): Promise<void> => {
    for (const app of apps.splice(0)) await app[Symbol.asyncDispose]()
  }
  const app = await another()
  const founded = await foundInstallation(app.db, { ...OWNER, organizationName: 'Acme' }, now)
  return {
    app,
    organizationId: founded.organizationId,
    another,
    advance: (ms) => void (now += ms),
    async reopen() {
      await close()
      return another()
    },
    async [Symbol.asyncDispose]() {
      await close()
      await place[Symbol.asyncDispose]()
    },
  }
}

export function aRunWebhook({ app, organizationId }: StillApp, url: string): Promise<MadeWebhook> {
  return aWebhook(app, organizationId, { url, events: ['crawl.run.completed'] })
}

export interface Bystander extends AsyncDisposable {
  /** Returns when a sender has looked for what is due, later than it was called. */
  senderLooked(): Promise<void>
}

/** A webhook for alerts, which arrive: senders claim what is due of all webhooks together. */
export async function bystander({ app, organizationId }: StillApp): Promise<Bystander> {
  const there = await receiver()
  const webhook = await aWebhook(app, organizationId, { url: there.url, events: ['alert.fired'] })
  return {
    async senderLooked() {
      await told(app, organizationId, 'alert.fired')
      await allIn(app, webhook, ['delivered'])
    },
    [Symbol.asyncDispose]: () => there[Symbol.asyncDispose](),
  }
}
