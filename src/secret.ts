// The installation's secret signs cursors and encrypts what must be stored but not read. Where none
// is configured, one is generated into the data directory.

import { createHmac, randomBytes } from 'node:crypto'
import { chmod, link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'
import type { Db } from './db/database.ts'
import { OperatorError } from './errors.ts'
import { settingOr } from './db/setting-store.ts'

const SECRET_BYTES = 32
const SECRET_CHARACTERS = 32
const OWNER_ONLY = 0o600

export async function readSecret({ secret, dataDirectory }: Config): Promise<string> {
  if (secret !== undefined) return secret

  const path = secretPath(dataDirectory)
  return (await read(path)) ?? generate(path)
}

export function secretPath(dataDirectory: string): string {
  return join(dataDirectory, 'secret')
}

/** Linked into place, so that of two processes that start at once one wins and both read the same. */
async function generate(path: string): Promise<string> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  await writeFile(draft, `${randomBytes(SECRET_BYTES).toString('hex')}\n`, { mode: OWNER_ONLY })
  await chmod(draft, OWNER_ONLY)
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
  return (await read(path)) ?? generate(path)
}

async function read(path: string): Promise<string | undefined> {
  const secret = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw unusable(path, error.message)
  })
  if (secret === undefined) return undefined
  if (secret.trim().length < SECRET_CHARACTERS) throw unusable(path, 'it is too short')
  return secret.trim()
}

function unusable(path: string, reason: string): OperatorError {
  return new OperatorError(
    `The secret in ${path} cannot be used (${reason}). Put it back from where you keep it, ` +
      'or remove the file to have a new one made: what was encrypted with the old one is then lost.',
  )
}

/** A key of its own for each purpose. */
export function keyFor(secret: string, purpose: string): Buffer {
  return createHmac('sha256', secret).update(`earshot ${purpose}`).digest()
}

/**
 * Whether the database was made with this secret. It keeps a fingerprint of the first one it saw:
 * with another, what was encrypted cannot be read, and processes do not accept each other's cursors.
 */
export async function isSecretOfDatabase(db: Db, secret: string): Promise<boolean> {
  const fingerprint = keyFor(secret, 'secret').toString('hex')
  return (await settingOr(db, 'secret_fingerprint', fingerprint)) === fingerprint
}
