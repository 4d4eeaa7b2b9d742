import { foundOrganization } from '#src/accounts/found.ts'
import { NewWatcher } from '#src/contract/watcher.ts'
import { createWatcher } from '#src/watchers/create-watcher.ts'
import { storedIn, type FoundedPlace } from './founded-place.ts'

type Written = Partial<Record<keyof NewWatcher, unknown>>

/** A watcher as people write it into a file; a test names only what it is about. */
export function writtenWatcher(given: Written = {}): Written {
  return {
    name: 'Servers',
    channels: [{ platform: 'forum', subforum: 'selfhosted' }],
    ...given,
  }
}

/** Stores a watcher without going through the program, and returns its id. */
export async function storeWatcher(
  place: FoundedPlace,
  given: Written = {},
  organizationId = place.organizationId,
): Promise<string> {
  const wanted = NewWatcher.parse(writtenWatcher(given))
  const { id } = await storedIn(place, (db) => {
    const context = { db, minIntervalSeconds: 1, now: Date.now() }
    return createWatcher(context, organizationId, wanted)
  })
  return id
}

/** A second organization of the same owner. */
export function storeOrganization(place: FoundedPlace, organizationName: string): Promise<string> {
  const founding = { ownerId: place.userId, organizationName }
  return storedIn(place, (db) =>
    db.transaction().execute((trx) => foundOrganization(trx, founding, Date.now())),
  )
}
