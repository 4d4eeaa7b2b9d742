// Where the installation lives, checked before anything is opened, so that the usual mistakes are
// told in one line instead of as whatever a library makes of them.

import { access, constants, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import { isOutage } from './db/failure.ts'
import { OperatorError } from './errors.ts'

/** Whether anything is kept outside PostgreSQL and the environment. */
export function needsDirectory({ database, secret }: Config): boolean {
  return database.url === undefined || secret === undefined
}

export async function checkPlace(config: Config): Promise<void> {
  if (!needsDirectory(config)) return
  const { dataDirectory, database } = config
  const probe = join(dataDirectory, `.probe.${process.pid}`)
  try {
    await mkdir(dataDirectory, { recursive: true, mode: 0o700 })
    await writeFile(probe, '')
    await rm(probe)
    if (database.url === undefined) await checkFile(database.path)
  } catch (error) {
    throw new OperatorError(
      `The data directory ${dataDirectory} cannot be written to (${reasonOf(error)}). ` +
        'Make it writable for this user, or set EARSHOT_DATA_DIR to one that is.',
    )
  }
}

async function checkFile(path: string): Promise<void> {
  await access(path, constants.R_OK | constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error // none yet is what a first start looks like
  })
}

/** To be given to `catch` of the first thing asked of the database. */
export function explainOutage({ location }: Database): (error: unknown) => never {
  return (error) => {
    if (!isOutage(error) && !isRefusal(error)) throw error
    throw new OperatorError(
      `PostgreSQL at ${location} cannot be used (${reasonOf(error)}). ` +
        'Check that it runs and that DATABASE_URL has the right host, port, user, password and database.',
    )
  }
}

/** SQLSTATE class 28: it does not know us. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('28')
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
