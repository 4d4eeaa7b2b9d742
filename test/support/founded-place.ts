// A place that has its first owner and organization, as after `earshot init`, and a look at what is
// stored there without going through the program.

import { foundInstallation } from '#src/accounts/found.ts'
import { openApp } from '#src/app.ts'
import { readConfig } from '#src/config.ts'
import type { Db, EngineName } from '#src/db/database.ts'
import { openDatabase } from '#src/db/open-database.ts'
import { configureLogs } from '#src/logger.ts'
import { testPlace, type Place } from './place.ts'
import { OWNER } from './test-app.ts'

export interface FoundedPlace extends Place {
  userId: string
  organizationId: string
}

export async function foundedPlace(engine: EngineName): Promise<FoundedPlace> {
  const place = await testPlace(engine)
  configureLogs({ level: 'silent', stream: { write: () => {} } })
  await using app = await openApp(readConfig(frugal(place)))
  const founding = { ...OWNER, organizationName: 'Acme' }
  return { ...place, ...(await foundInstallation(app.db, founding, Date.now())) }
}

/** What the place's database holds, asked while it is opened for just that. */
export async function storedIn<Answer>(
  place: Pick<Place, 'variables'>,
  ask: (db: Db) => Promise<Answer>,
): Promise<Answer> {
  await using database = await openDatabase(readConfig(frugal(place)).database)
  return await ask(database.db)
}

/** Makes the database look as if a later release had been there. */
export async function makeNewer(place: Pick<Place, 'variables'>): Promise<void> {
  const future = { version: 9_999, name: 'future', applied_at: Date.now() }
  await storedIn(place, (db) => db.insertInto('migration').values(future).execute())
}

/** Each reader is a thread more to start, and here one is enough. */
function frugal({ variables }: Pick<Place, 'variables'>): Record<string, string> {
  return { ...variables, EARSHOT_DATABASE_READERS: '1' }
}
