import type { App } from '../app.ts'
import { OperatorError } from '../errors.ts'
import { organizationOfWatcher, type WatcherKey } from '../watchers/watcher-store.ts'

/** A watcher's id is enough on the command line, whichever organization it belongs to. */
export async function findWatcher({ db, database }: App, id: string): Promise<WatcherKey> {
  const organizationId = await organizationOfWatcher(db, id)
  if (organizationId !== undefined) return { organizationId, id }
  throw new OperatorError(
    `There is no watcher ${id} in ${database.location}. \`earshot watchers list\` shows those there are.`,
  )
}
