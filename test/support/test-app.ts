// The whole service inside the test's process, on a free port, with a clock of its own: real HTTP,
// a real database, nothing replaced. `await using app = await testApp('sqlite')`.

import { foundInstallation, foundOrganization } from '#src/accounts/found.ts'
import { issueKey } from '#src/accounts/issue-key.ts'
import { openApp, type App } from '#src/app.ts'
import { readConfig } from '#src/config.ts'
import type { Scope } from '#src/contract/access.ts'
import type { EngineName } from '#src/db/database.ts'
import { startServer } from '#src/http/server.ts'
import { configureLogs } from '#src/logger.ts'
import { testPlace, type Place } from './place.ts'

export const OWNER = { email: 'owner@example.com', password: 'correct horse' }

const ALL_SCOPES: Scope[] = ['*']

export interface TestApp extends AsyncDisposable {
  app: App
  place: Place
  url: string
  /** The first owner and organization. */
  owner: { userId: string; organizationId: string }
  /** Moves the app's clock ahead; time also passes by itself. */
  advance(ms: number): void
  /** Every line logged so far by any test app of this process. */
  log(): string
  createKey(options?: KeyOptions): Promise<{ id: string; key: string }>
  /** A second organization; owned by the same person, unless its data says otherwise. */
  createOrganization(name: string): Promise<string>
}

interface KeyOptions {
  organizationId?: string
  personId?: string
  scopes?: Scope[]
  expiresAt?: string | null
}

export async function testApp(
  engine: EngineName,
  variables: Record<string, string> = {},
): Promise<TestApp> {
  const place = await testPlace(engine)
  const lines: string[] = []
  configureLogs({ level: 'debug', stream: { write: (line) => void lines.push(line) } })
  let aheadMs = 0
  const clock = () => Date.now() + aheadMs
  const app = await openApp(readConfig({ ...place.variables, ...variables }), clock)
  const server = await startServer(app)
  const owner = await foundInstallation(app.db, { ...OWNER, organizationName: 'Acme' }, clock())
  return {
    app,
    place,
    url: server.url,
    owner,
    advance: (ms) => void (aheadMs += ms),
    log: () => lines.join(''),
    createKey: ({ organizationId, personId, scopes = ALL_SCOPES, expiresAt = null } = {}) =>
      issueKey(
        app.db,
        {
          organizationId: organizationId ?? owner.organizationId,
          personId: personId ?? owner.userId,
          name: 'a key',
          scopes,
          expiresAt,
        },
        clock(),
      ),
    createOrganization: (organizationName) =>
      app.db
        .transaction()
        .execute((trx) =>
          foundOrganization(trx, { ownerId: owner.userId, organizationName }, clock()),
        ),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await app[Symbol.asyncDispose]()
      await place[Symbol.asyncDispose]()
    },
  }
}
