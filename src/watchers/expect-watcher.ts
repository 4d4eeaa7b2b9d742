import type { Db } from '../db/database.ts'
import { notFound } from '../errors.ts'
import { watcherById, type Watcher, type WatcherKey } from './watcher-store.ts'

export async function expectWatcher(db: Db, key: WatcherKey): Promise<Watcher> {
  const watcher = await watcherById(db, key)
  if (watcher === undefined) throw notFound('watcher')
  return watcher
}
