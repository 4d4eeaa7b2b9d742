import type { Command } from 'commander'
import type { App } from '../app.ts'
import { OperatorError } from '../errors.ts'
import { importPosts } from '../ingest/import-posts.ts'
import type { ImportProgress } from '../ingest/import-store.ts'
import { organizationMatches } from '../jobs/organization-matches.ts'
import { withApp } from './command.ts'
import { findOrganization } from './find-organization.ts'
import { openInput, type Input } from './open-input.ts'
import { ProgressLine } from './progress.ts'
import { stopSignal } from './stop-signal.ts'

const BAD_LINES_SHOWN = 20

export function addImport(program: Command): void {
  program
    .command('import')
    .argument('<file>', 'ndjson, gzipped or not, one post a line; - reads standard input')
    .description('store posts from a file as records; one that was cut off goes on where it was')
    .option('--org <id>', 'organization (default: the only one)')
    .action(
      withApp<{ org?: string }>(async (app, { org }, [file = '']) => {
        const organizationId = await findOrganization(app, org)
        const input = await openInput(file)
        const { imported, updated, rejected } = await run(app, organizationId, input)
        const text = `${imported} imported, ${updated} updated, ${rejected} rejected.`
        return { report: { imported, updated, rejected }, text }
      }),
    )
}

async function run(app: App, organizationId: string, input: Input): Promise<ImportProgress> {
  using line = new ProgressLine()
  using stopping = stopSignal()
  let bad = 0
  try {
    return await importPosts(
      {
        database: app.database,
        clock: app.clock,
        match: (posts) => organizationMatches(app, organizationId, posts),
      },
      {
        organizationId,
        source: input.source,
        bytes: input.bytes,
        signal: stopping.signal,
        onProgress: (progress) => line.show(shareOf(input), textOf(progress)),
        onBadLine(number, reason) {
          bad += 1
          if (bad <= BAD_LINES_SHOWN) line.say(`line ${number} is not accepted: ${reason}`)
          if (bad === BAD_LINES_SHOWN) line.say('Further lines like that are only counted.')
        },
      },
    )
  } catch (error) {
    if (!stopping.signal.aborted || input.source === null) throw error
    throw new OperatorError('Stopped. Run the same command again to go on from here.')
  }
}

function shareOf({ readBytes, totalBytes }: Input): number | null {
  return totalBytes === null ? null : readBytes() / totalBytes
}

function textOf({ imported, updated, rejected }: ImportProgress): string {
  return `${imported} imported, ${updated} updated, ${rejected} rejected`
}
