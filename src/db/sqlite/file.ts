// Looking at and replacing a whole SQLite file, for backup and restore.

import { DatabaseSync, backup } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError } from '../../errors.ts'
import { seconds } from '../../lib/duration.ts'

/** Set by the first migration: "EARS". */
const APPLICATION_ID = 1_161_908_819

const COPY_TIMEOUT_MS = seconds(30)
const RETRY_MS = 10

/** All at once: the copy is one transaction, and a smaller step would only let others in between. */
const ALL_PAGES = 2 ** 31 - 1

/** Refuses what is not a sound Earshot database. */
export function inspectFile(path: string): { version: number } {
  try {
    using file = openForReading(path)
    const sound = file.prepare('pragma quick_check').get()?.['quick_check'] === 'ok'
    const isOurs =
      file.prepare('pragma application_id').get()?.['application_id'] === APPLICATION_ID
    if (!isOurs) throw new OperatorError(`${path} is not a backup of Earshot.`)
    if (!sound) throw new OperatorError(`${path} is damaged: SQLite's own check of it fails.`)
    const row = file.prepare('select max(version) as version from migration').get()
    return { version: Number(row?.['version'] ?? 0) }
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`${path} cannot be read as a backup (${(error as Error).message}).`)
  }
}

/**
 * Replaces the content of one database by another's in a single transaction. Whoever has the target
 * open goes on with it: their next statement sees the new content.
 */
export async function copyInto(path: string, target: string): Promise<void> {
  using source = openForReading(path)
  const deadline = Date.now() + COPY_TIMEOUT_MS
  for (;;) {
    try {
      await backup(source, target, { rate: ALL_PAGES })
      return
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error
    }
    await sleep(RETRY_MS * (1 + Math.random())) // at no fixed beat with whoever writes
  }
}

/** Somebody holds the target's write lock: the copy gives up at once, with SQLite's "no error". */
function isBusy(error: unknown): boolean {
  const SQLITE_OK = 0
  const SQLITE_BUSY = 5
  const errcode = error instanceof Error && 'errcode' in error ? error.errcode : undefined
  return errcode === SQLITE_OK || errcode === SQLITE_BUSY
}

function openForReading(path: string): DatabaseSync {
  return new DatabaseSync(path, { readOnly: true })
}
