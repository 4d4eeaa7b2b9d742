// Migrations are numbered SQL files, one folder per engine with the same numbers, forward only.
// This file reads them and decides which are due; each engine applies them under its own lock.

import { readFile, readdir } from 'node:fs/promises'
import { OperatorError } from '../errors.ts'

export interface Migration {
  version: number
  name: string
  script: string
}

const FOLDER = new URL('../../migrations/', import.meta.url)
const FILE_NAME = /^(?<version>\d{4})-(?<name>[a-z0-9-]+)\.sql$/

export async function readMigrations(engine: 'sqlite' | 'postgres'): Promise<Migration[]> {
  const folder = new URL(`${engine}/`, FOLDER)
  const files = (await readdir(folder)).sort()
  return Promise.all(
    files.map(async (file) => {
      const { version, name } = FILE_NAME.exec(file)?.groups ?? {}
      if (version === undefined || name === undefined) {
        throw new Error(`Not a migration's name: ${file}`)
      }
      return {
        version: Number(version),
        name,
        script: await readFile(new URL(file, folder), 'utf8'),
      }
    }),
  )
}

/** The migrations still to apply. A database that knows more than the program is refused. */
export function dueMigrations(known: readonly Migration[], appliedVersion: number): Migration[] {
  const newest = known.at(-1)?.version ?? 0
  if (appliedVersion > newest) {
    throw new OperatorError(
      `The database is at version ${appliedVersion}, but this program knows only up to ${newest}. ` +
        'Start the newer Earshot that made it, or restore a backup from before the upgrade.',
    )
  }
  return known.filter(({ version }) => version > appliedVersion)
}
