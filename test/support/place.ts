// A place for one Earshot to live in, on either engine: an empty data directory and, on PostgreSQL,
// an empty database. Gone with the scope: `await using place = await testPlace('sqlite')`.

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import type { EngineName } from '#src/db/database.ts'

export const ENGINES = ['sqlite', 'postgres'] as const satisfies EngineName[]

export interface Place extends AsyncDisposable {
  engine: EngineName
  dataDirectory: string
  /** The environment that makes a program live here. */
  variables: Record<string, string>
}

export async function testPlace(engine: EngineName): Promise<Place> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'earshot-test-'))
  const database = engine === 'postgres' ? await emptyDatabase() : undefined
  return {
    engine,
    dataDirectory,
    variables: {
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      PORT: '0',
      EARSHOT_DATA_DIR: dataDirectory,
      EARSHOT_RATE_LIMIT: '0',
      EARSHOT_SHUTDOWN_TIMEOUT_MS: '0',
      DATABASE_URL: database?.url ?? '',
    },
    async [Symbol.asyncDispose]() {
      await database?.drop()
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}

async function emptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(`create database ${name}`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  return { url: url.href, drop: () => administer(`drop database ${name} with (force)`) }
}

async function administer(command: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  try {
    await client.query(command)
  } finally {
    await client.end()
  }
}
