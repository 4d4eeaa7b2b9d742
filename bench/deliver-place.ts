// Where the deliveries of a measurement lie: a database as in production, its organizations with
// their webhooks, and what was told to them before the measurement began.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { foundInstallation, foundOrganization } from '../src/accounts/found.ts'
import { openApp, type App } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { EVENT_KINDS } from '../src/contract/event.ts'
import type { EngineName } from '../src/db/database.ts'
import { createWebhook } from '../src/events/create-webhook.ts'
import { tell } from '../src/events/tell.ts'
import { chunksOf } from '../src/lib/chunks.ts'
import { webhookContext } from '../src/webhook-context.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { eventsOf } from './deliver-events.ts'

const EVENTS_AT_ONCE = 100

export interface DeliverPlace extends AsyncDisposable {
  app: App
  variables: Record<string, string>
  ownerId: string
}

export async function deliverPlace(
  engine: EngineName,
  variables: Record<string, string>,
): Promise<DeliverPlace> {
  const home = mkdtempSync(join(tmpdir(), 'earshot-bench-'))
  const server = engine === 'postgres' ? await startPostgres({ durable: true }) : undefined
  const all = { ...variables, EARSHOT_DATA_DIR: home, DATABASE_URL: server?.url ?? '' }
  const app = await openApp(readConfig(all))
  const owner = { email: 'bench@example.com', password: 'not a secret', organizationName: 'Bench' }
  const { userId: ownerId } = await foundInstallation(app.db, owner, Date.now())
  return {
    app,
    variables: all,
    ownerId,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await server?.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** An organization with a webhook on each of these ports. */
export async function listeningOrganization(
  { app, ownerId }: DeliverPlace,
  ports: readonly number[],
): Promise<string> {
  const named = { ownerId, organizationName: `Bench of ${ports.length}` }
  const organizationId = await app.db
    .transaction()
    .execute((trx) => foundOrganization(trx, named, Date.now()))
  for (const port of ports) {
    const url = `http://127.0.0.1:${port}/hook`
    const webhook = { url, description: '', events: [...EVENT_KINDS] }
    await createWebhook(webhookContext(app), organizationId, webhook)
  }
  return organizationId
}

/** A delivery of each event for each webhook of the organization. */
export async function tellMany(
  { app }: DeliverPlace,
  organizationId: string,
  events: number,
): Promise<void> {
  for (const some of chunksOf(eventsOf(organizationId, events), EVENTS_AT_ONCE)) {
    await app.db.transaction().execute((trx) => tell(trx, some))
  }
  // PostgreSQL looks at its tables by itself, within a minute of so many new rows.
  if (app.database.engine === 'postgres') await sql`analyze`.execute(app.db)
}

/** As if it had never been: what is under way ends in nothing. */
export async function forget({ app }: DeliverPlace, organizationId: string): Promise<void> {
  await app.db.deleteFrom('delivery').where('organization_id', '=', organizationId).execute()
  await app.db.deleteFrom('webhook').where('organization_id', '=', organizationId).execute()
}
