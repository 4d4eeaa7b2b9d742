import type { DatabaseSync } from 'node:sqlite'
import { signsOf } from '../../lib/words.ts'
import { dueMigrations, type Migration } from '../migrations.ts'

/**
 * Applies what is due, each migration in a transaction of its own. `begin immediate` is the lock:
 * a second process that starts meanwhile waits for it, then finds nothing left to do.
 */
export function migrateSqlite(
  database: DatabaseSync,
  known: readonly Migration[],
  now: number,
): number {
  dueMigrations(known, appliedVersion(database))
  database.function('signs_of', (text) => signsOf(String(text)).join(' '))
  let applied = 0
  while (applyNext(database, known, now)) applied += 1
  return applied
}

function applyNext(database: DatabaseSync, known: readonly Migration[], now: number): boolean {
  database.exec('begin immediate')
  try {
    const [next] = dueMigrations(known, appliedVersion(database))
    if (next !== undefined) {
      database.exec(next.script)
      database
        .prepare('insert into migration (version, name, applied_at) values (?, ?, ?)')
        .run(next.version, next.name, now)
    }
    database.exec('commit')
    return next !== undefined
  } catch (error) {
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
}

function appliedVersion(database: DatabaseSync): number {
  const hasTable = database
    .prepare(`select 1 from sqlite_master where type = 'table' and name = 'migration'`)
    .get()
  if (hasTable === undefined) return 0

  const row = database.prepare('select max(version) as version from migration').get()
  return Number(row?.['version'] ?? 0)
}
