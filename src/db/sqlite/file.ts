// Looking at and replacing a whole SQLite file, for backup and restore.

import { DatabaseSync, backup } from 'node:sqlite'
import { OperatorError } from '../../errors.ts'

/** Set by the first migration: "EARS". */
const APPLICATION_ID = 1_161_908_819
const PAGES_A_STEP = 1_000

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
  await backup(source, target, { rate: PAGES_A_STEP })
}

function openForReading(path: string): DatabaseSync {
  return new DatabaseSync(path, { readOnly: true })
}
