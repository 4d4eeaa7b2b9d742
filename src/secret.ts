// The installation's secret signs cursors and encrypts what must be stored but not read. Where none
// is configured, one is generated into the data directory.

import { createHmac, randomBytes } from 'node:crypto'
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'
import type { Db } from './db/database.ts'
import { settingOr } from './db/setting-store.ts'

const FILE_NAME = 'secret'
const SECRET_BYTES = 32
const OWNER_ONLY = 0o600

export async function readSecret({ secret, dataDirectory }: Config): Promise<string> {
  if (secret !== undefined) return secret

  const path = join(dataDirectory, FILE_NAME)
  return (await read(path)) ?? generate(dataDirectory, path)
}

/** Linked into place, so that of two processes that start at once one wins and both read the same. */
async function generate(dataDirectory: string, path: string): Promise<string> {
  await mkdir(dataDirectory, { recursive: true })
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  await writeFile(draft, `${randomBytes(SECRET_BYTES).toString('hex')}\n`, { mode: OWNER_ONLY })
  await chmod(draft, OWNER_ONLY)
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
  return (await read(path)) ?? generate(dataDirectory, path)
}

async function read(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Whether the database was made with this secret. It keeps a fingerprint of the first one it saw:
 * with another, what was encrypted cannot be read, and processes do not accept each other's cursors.
 */
export async function isSecretOfDatabase(db: Db, secret: string): Promise<boolean> {
  const fingerprint = createHmac('sha256', secret).update('earshot secret').digest('hex')
  return (await settingOr(db, 'secret_fingerprint', fingerprint)) === fingerprint
}
