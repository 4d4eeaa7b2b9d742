import { open, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Config } from '../config.ts'
import { openSqlite } from '../db/sqlite/open.ts'
import { OperatorError } from '../errors.ts'
import { withConfig } from './command.ts'
import { createPrivateFile, exists, isSameFile } from './files.ts'

export function addBackup(program: Command): void {
  program
    .command('backup')
    .description('write a consistent copy of the embedded database, also while the service runs')
    .argument('<file>', 'where to write it')
    .option('--force', 'replace the file if it exists')
    .action(
      withConfig<{ force?: boolean }>(async ({ database }, { force = false }, [name = '']) => {
        requireEmbedded(database, 'pg_dump')
        const file = resolve(name)
        await checkTarget(database, file, force)
        const bytes = await writeCopy(database, file)
        return { report: { file, bytes }, text: textOf(file, bytes) }
      }),
    )
}

async function checkTarget(
  { path }: Config['database'],
  file: string,
  force: boolean,
): Promise<void> {
  if (!(await exists(path))) throw new OperatorError(`There is no database at ${path} to back up.`)
  if (await isSameFile(path, file)) {
    throw new OperatorError(`${file} is the database itself. Choose another name.`)
  }
  if (!force && (await exists(file))) {
    throw new OperatorError(`${file} exists. Choose another name, or add --force.`)
  }
}

/** Written beside its place and moved into it when it is whole and on disk. */
async function writeCopy({ path, readers }: Config['database'], file: string): Promise<number> {
  const draft = `${file}.${process.pid}.part`
  try {
    await createPrivateFile(draft)
    await using database = await openSqlite({ path, readers })
    await database.snapshot(draft)
    await using handle = await open(draft)
    await handle.sync()
    await rename(draft, file).catch((error: Error) => {
      throw new OperatorError(`${file} cannot be replaced (${error.message}).`)
    })
    return (await handle.stat()).size
  } finally {
    await rm(draft, { force: true })
  }
}

export function requireEmbedded({ url }: Config['database'], tool: string): void {
  if (url === undefined) return
  throw new OperatorError(
    `This installation is on PostgreSQL: use its own ${tool}, which does this better.`,
  )
}

function textOf(file: string, bytes: number): string {
  const size = (bytes / 1_048_576).toFixed(1)
  return [
    `${file} (${size} MiB) holds everything up to now.`,
    'The secret is not in it: keep EARSHOT_SECRET, or the file `secret` of the data directory, elsewhere.',
  ].join('\n')
}
