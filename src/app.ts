// The hall: builds what the doors and rooms need from the configuration, hands it out, closes it.

import { KeyVerifier } from './accounts/key-verifier.ts'
import type { Config } from './config.ts'
import type { Database, Db } from './db/database.ts'
import { openDatabase } from './db/open-database.ts'
import type { Receivers } from './events/receivers.ts'
import { systemClock, type Clock } from './lib/clock.ts'
import { databaseLog, programLog } from './logger.ts'
import { checkPlace, explainOutage } from './place.ts'
import { isSecretOfDatabase, keyFor, readSecret } from './secret.ts'
import type { Sources } from './sources/registry.ts'
import { ChannelMatchers } from './watchers/channel-matchers.ts'

export interface App extends AsyncDisposable {
  config: Config
  clock: Clock
  database: Database
  db: Db
  keys: KeyVerifier
  /** Signs the cursors of pages. */
  cursorKey: Buffer
  matchers: ChannelMatchers
  /** Encrypts the secrets of webhooks. */
  webhookKey: Buffer
  /** Opened when they are first asked for: most commands never read a platform. */
  sources(): Promise<Sources>
  /** Opened when they are first asked for: most commands send nothing. */
  receivers(): Promise<Receivers>
}

export async function openApp(config: Config, clock: Clock = systemClock): Promise<App> {
  await checkPlace(config)
  const secret = await readSecret(config)
  const database = await openDatabase(config.database)
  try {
    const applied = await database.migrate(clock()).catch(explainOutage(database))
    if (applied > 0) databaseLog.info({ applied }, 'migrations applied')
    if (!(await isSecretOfDatabase(database.db, secret))) {
      programLog.error('EARSHOT_SECRET is not the one this database was made with: put it back')
    }
  } catch (error) {
    await database[Symbol.asyncDispose]()
    throw error
  }

  const keys = new KeyVerifier(database.db, clock)
  let sources: Promise<Sources> | undefined
  let receivers: Promise<Receivers> | undefined
  return {
    config,
    clock,
    database,
    db: database.db,
    keys,
    cursorKey: keyFor(secret, 'cursors'),
    webhookKey: keyFor(secret, 'webhooks'),
    matchers: new ChannelMatchers(database.db),
    sources: () => (sources ??= loadSources(config)),
    receivers: () => (receivers ??= loadReceivers(config)),
    async [Symbol.asyncDispose]() {
      await (await sources)?.[Symbol.asyncDispose]()
      await (await receivers)?.[Symbol.asyncDispose]()
      await keys[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

async function loadSources(config: Config): Promise<Sources> {
  const { openSources } = await import('./sources/registry.ts')
  return openSources(config.sources)
}

async function loadReceivers(config: Config): Promise<Receivers> {
  const { openReceivers } = await import('./events/receivers.ts')
  return openReceivers(config)
}
