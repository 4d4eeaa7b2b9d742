// The doctor's examination. It looks and changes nothing; each check says what it found and, where
// something is wrong or could be better, what to do.

import { stat, statfs } from 'node:fs/promises'
import { anyPersonExists } from '../accounts/person-store.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { dueMigrations, readMigrations } from '../db/migrations.ts'
import { openDatabase } from '../db/open-database.ts'
import { appliedVersion, engineVersion, isSound } from '../db/readiness.ts'
import { checkPlace, explainOutage, needsDirectory } from '../place.ts'
import { isSecretOfDatabase, readSecret, secretPath } from '../secret.ts'
import { exists } from './files.ts'
import { messageOf } from './failure.ts'

export interface Finding {
  name: string
  ok: boolean
  detail: string
  fix?: string
}

const NODE_MAJOR = 26
const POSTGRES_MAJOR = 15
const LOW_DISK_BYTES = 1024 ** 3
const GROUP_AND_OTHERS = 0o077

export async function diagnose(config: Config): Promise<Finding[]> {
  const findings = [runtime(), settings(config)]
  findings.push(...(await place(config)))
  if (findings.every(({ ok }) => ok)) findings.push(...(await storage(config)))
  return findings
}

function runtime(): Finding {
  const version = process.versions.node
  const ok = Number(version.split('.')[0]) >= NODE_MAJOR
  const fix = 'Start with `npm start` or `bin/earshot`, which bring the right Node.'
  return { name: 'Node', ok, detail: version, ...(ok ? {} : { fix }) }
}

function settings({ unknownSettings }: Config): Finding {
  if (unknownSettings.length === 0) return { name: 'Settings', ok: true, detail: 'all known' }
  const detail = `not known: ${unknownSettings.join(', ')}`
  return { name: 'Settings', ok: false, detail, fix: 'See docs/configuration.md for the names.' }
}

async function place(config: Config): Promise<Finding[]> {
  if (!needsDirectory(config)) return []
  const name = 'Data directory'
  if (!(await exists(config.dataDirectory))) {
    const detail = `none yet: made at ${config.dataDirectory} at the first start`
    return [{ name, ok: true, detail }]
  }
  try {
    await checkPlace(config)
  } catch (error) {
    return [{ name, ok: false, detail: messageOf(error) }]
  }
  return [await disk(config.dataDirectory), await secretFile(config)]
}

async function disk(dataDirectory: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(dataDirectory)
  const freeBytes = bavail * bsize
  const detail = `${dataDirectory} is writable, ${(freeBytes / 1024 ** 3).toFixed(1)} GiB free`
  const ok = freeBytes >= LOW_DISK_BYTES
  const fix = 'Make room: a full disk stops every write.'
  return { name: 'Data directory', ok, detail, ...(ok ? {} : { fix }) }
}

async function secretFile({ secret, dataDirectory }: Config): Promise<Finding> {
  if (secret !== undefined) return { name: 'Secret', ok: true, detail: 'set in EARSHOT_SECRET' }
  const path = secretPath(dataDirectory)
  const file = await stat(path).catch(() => undefined)
  if (file === undefined) {
    return { name: 'Secret', ok: true, detail: 'none yet: generated at the first start' }
  }
  const ok = (file.mode & GROUP_AND_OTHERS) === 0
  const detail = ok ? `${path}, for this user only` : `${path} can be read by others`
  return { name: 'Secret', ok, detail, ...(ok ? {} : { fix: `chmod 600 ${path}` }) }
}

async function storage(config: Config): Promise<Finding[]> {
  const { url, path } = config.database
  if (url === undefined && !(await exists(path))) {
    return [{ name: 'Database', ok: true, detail: `none yet: made at ${path} at the first start` }]
  }
  try {
    // The check of a large file takes longer than any search may.
    await using database = await openDatabase({ ...config.database, queryTimeoutMs: 0 })
    const version = await engine(database).catch(explainOutage(database))
    const findings = [version, await migrations(database)]
    // Each step makes sense only where the one before is done.
    if (allDone(findings)) findings.push(await owner(database))
    if (allDone(findings)) findings.push(await secretMatch(database, config))
    return findings
  } catch (error) {
    return [{ name: 'Database', ok: false, detail: messageOf(error) }]
  }
}

/** Nothing wrong, and nothing left to do. */
function allDone(findings: readonly Finding[]): boolean {
  return findings.every(({ ok, fix }) => ok && fix === undefined)
}

async function engine(database: Database): Promise<Finding> {
  const { engine: name, location } = database
  const version = await engineVersion(database)
  if (!(await isSound(database))) {
    const fix = 'Restore the last good backup: earshot restore FILE'
    return { name: 'Database', ok: false, detail: `${location} is damaged`, fix }
  }
  const ok = name === 'sqlite' || Number.parseInt(version, 10) >= POSTGRES_MAJOR
  const fix = `Use PostgreSQL ${POSTGRES_MAJOR} or later.`
  const detail = `${name} ${version} at ${location}`
  return { name: 'Database', ok, detail, ...(ok ? {} : { fix }) }
}

async function migrations(database: Database): Promise<Finding> {
  const applied = await appliedVersion(database)
  const due = dueMigrations(await readMigrations(database.engine), applied)
  const name = 'Migrations'
  if (due.length === 0) return { name, ok: true, detail: `up to date at version ${applied}` }
  const detail = `${due.length} to apply`
  return {
    name,
    ok: true,
    detail,
    fix: 'The next start applies them; `earshot migrate` does so now.',
  }
}

async function owner({ db }: Database): Promise<Finding> {
  if (await anyPersonExists(db)) return { name: 'Account', ok: true, detail: 'there is an owner' }
  const fix = 'Make the first: earshot init --email you@example.com --org "My organization"'
  return { name: 'Account', ok: true, detail: 'nobody yet', fix }
}

/** The owner exists, so the service has run and made both the secret and its fingerprint. */
async function secretMatch({ db }: Database, config: Config): Promise<Finding> {
  const ok = await isSecretOfDatabase(db, await readSecret(config))
  const name = 'Secret of the database'
  if (ok) return { name, ok, detail: 'is the one in use' }
  const fix = 'Put back the secret that the database was made with.'
  return { name, ok, detail: 'is another one: what was encrypted cannot be read', fix }
}
