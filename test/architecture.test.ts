// The house rules, executable: who may import whom, no circles, one reader of the environment.

import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

const SRC = join(import.meta.dirname, '../src')
const FOUNDATION = ['lib', 'errors.ts', 'logger.ts']
const ROOMS = ['accounts', 'queue', 'sources', 'watchers', 'ingest', 'records', 'events']

/** Who may import whom, top to bottom. A folder may always import itself and the foundation. */
const ALLOWED: Record<string, readonly string[]> = {
  'main.ts': ['cli'],
  cli: [
    'app.ts',
    'webhook-context.ts',
    'config.ts',
    'place.ts',
    'secret.ts',
    'version.ts',
    'http',
    'jobs',
    'simulate',
    'contract',
    'db',
    ...ROOMS,
  ],
  http: ['app.ts', 'webhook-context.ts', 'version.ts', 'contract', 'db', ...ROOMS],
  jobs: ['app.ts', 'webhook-context.ts', 'contract', 'db', ...ROOMS],
  simulate: ['contract'],
  'webhook-context.ts': ['app.ts', 'events'],
  'app.ts': ['config.ts', 'place.ts', 'secret.ts', 'db', ...ROOMS],
  'place.ts': ['config.ts', 'db'],
  'secret.ts': ['config.ts', 'db'],
  accounts: ['contract', 'db'],
  queue: ['db'],
  sources: ['contract'],
  watchers: ['contract', 'db', 'queue'], // a channel that is watched is a job
  ingest: ['contract', 'db', 'sources', 'events'], // what a post is; a run and its event are one
  records: ['contract', 'db'],
  events: ['contract', 'db', 'queue'], // to redeliver everything is a job
  db: ['config.ts'],
  contract: [],
  'config.ts': ['settings.ts', 'version.ts'],
  'settings.ts': [],
  'version.ts': ['../package.json'],
  'logger.ts': [],
  'errors.ts': [],
  lib: [],
}

const imports = globSync('**/*.ts', { cwd: SRC })
  .filter((file) => !file.endsWith('.test.ts'))
  .flatMap((file) => importsOf(file))

describe('borders', () => {
  test.each(Object.entries(ALLOWED))('%s imports only what is below it', (part, allowed) => {
    const reachable = new Set([part, ...allowed, ...FOUNDATION])
    const strays = imports.filter(
      ({ file, target }) => partOf(file) === part && !reachable.has(partOf(target)),
    )
    expect(strays).toEqual([])
  })

  test('every part of the house has its borders', () => {
    const parts = new Set(imports.map(({ file }) => partOf(file)))
    expect([...parts].filter((part) => !Object.hasOwn(ALLOWED, part))).toEqual([])
  })

  test('only files of an engine, and db, name an engine’s library', () => {
    const strays = globSync('**/*.ts', { cwd: SRC }).filter((file) => {
      if (file.startsWith('db/')) return false
      return /from '(pg|node:sqlite)'/.test(readFileSync(join(SRC, file), 'utf8'))
    })
    expect(strays).toEqual([])
  })

  test('SQL is in stores, in db and nowhere else', () => {
    const strays = globSync('**/*.ts', { cwd: SRC }).filter((file) => {
      if (/^db\/|-store\.ts$|\.(sqlite|postgres)\.ts$|\.test\.ts$/.test(file)) return false
      return /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql[<`]/.test(
        readFileSync(join(SRC, file), 'utf8'),
      )
    })
    expect(strays).toEqual([])
  })
})

function importsOf(file: string): { file: string; target: string }[] {
  const source = readFileSync(join(SRC, file), 'utf8')
  return [...source.matchAll(/(?:from|import) ?\(?'(?<path>\.[^']+)'/g)].map(({ groups }) => ({
    file,
    target: relative(SRC, join(SRC, dirname(file), groups?.['path'] ?? '')),
  }))
}

function partOf(file: string): string {
  return file.startsWith('../') ? file : (file.split('/')[0] ?? file)
}
