import { rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { noteRestore } from '../db/change-store.ts'
import type { Config } from '../config.ts'
import { dueMigrations, readMigrations } from '../db/migrations.ts'
import { copyInto, inspectFile } from '../db/sqlite/file.ts'
import { openSqlite } from '../db/sqlite/open.ts'
import { OperatorError } from '../errors.ts'
import { systemClock } from '../lib/clock.ts'
import { checkPlace } from '../place.ts'
import { requireEmbedded } from './backup.ts'
import { withConfig } from './command.ts'
import { createPrivateFile, exists } from './files.ts'

export function addRestore(program: Command): void {
  program
    .command('restore')
    .description('replace the embedded database by a backup, also while the service runs')
    .argument('<file>', 'a file that `earshot backup` wrote')
    .action(
      withConfig(async (config, _options, [name = '']) => {
        requireEmbedded(config.database, 'pg_restore')
        const file = resolve(name)
        if (!(await exists(file))) throw new OperatorError(`There is no file ${file}.`)
        dueMigrations(await readMigrations('sqlite'), inspectFile(file).version)
        await checkPlace(config)

        const previous = await setAside(config.database)
        await copyInto(file, config.database.path)
        await bringUpToDate(config.database)
        return { report: { file, previous }, text: textOf(file, previous) }
      }),
    )
}

/** What is replaced is kept beside: a restore of the wrong file must not be the end. */
async function setAside({ path, readers }: Config['database']): Promise<string | null> {
  if (!(await exists(path))) return null
  const copy = `${path}.before-restore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  await createPrivateFile(copy)
  try {
    await using database = await openSqlite({ path, readers })
    await database.snapshot(copy)
  } catch {
    await replaceBroken(path, copy)
  }
  return copy
}

/** A file that SQLite cannot read is kept as it is, and makes way: nothing can be copied into it. */
async function replaceBroken(path: string, copy: string): Promise<void> {
  await rename(path, copy)
  for (const rest of ['-wal', '-shm']) await rm(path + rest, { force: true })
  await createPrivateFile(path)
}

async function bringUpToDate({ path, readers }: Config['database']): Promise<void> {
  await using database = await openSqlite({ path, readers })
  await database.migrate(systemClock())
  await noteRestore(database.db, systemClock())
}

function textOf(file: string, previous: string | null): string {
  const kept = previous === null ? '' : `\nWhat was there before is in ${previous}.`
  return `The database is as it was in ${file}.${kept}`
}
