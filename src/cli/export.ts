import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { type Command, Option } from 'commander'
import { z } from 'zod'
import type { App } from '../app.ts'
import { Beginning, End } from '../contract/day-or-instant.ts'
import { channelKey, Platform } from '../contract/platform.ts'
import { OperatorError } from '../errors.ts'
import { csvLine } from '../records/csv.ts'
import type { ExportFilter } from '../records/export-filter.ts'
import { exportRecords, type ExportedRecord } from '../records/export-records.ts'
import { withApp } from './command.ts'
import { parseOption } from './failure.ts'
import { findOrganization } from './find-organization.ts'
import { findWatcher } from './find-watcher.ts'
import { ProgressLine } from './progress.ts'

interface Options extends Record<string, unknown> {
  org?: string
  format: 'ndjson' | 'csv'
  output?: string
  json?: boolean
  matched?: boolean
  platforms?: string
  subforums?: string
  tags?: string
  watcher?: string
  minScore?: string
  minComments?: string
  from?: string
  to?: string
  keyword?: string
}

export function addExport(program: Command): void {
  program
    .command('export')
    .description('write records as ndjson, which `import` reads, or as CSV; newest first')
    .option('--org <id>', 'organization (default: the only one)')
    .addOption(new Option('--format <format>').choices(['ndjson', 'csv']).default('ndjson'))
    .option('--output <file>', 'where to write (default: standard output)')
    .option('--matched', 'only records a rule matched')
    .option('--platforms <list>', 'only of these platforms')
    .option('--subforums <list>', 'only of these channels')
    .option('--tags <list>', 'only with any of these tags')
    .option('--watcher <id>', 'only those this watcher matched')
    .option('--min-score <number>', 'only with at least this score')
    .option('--min-comments <number>', 'only with at least this many comments')
    .option('--from <date>', 'only posts created on or after it')
    .option('--to <date>', 'only posts created on or before it')
    .option('--keyword <text>', 'only with this text in title or body')
    .action(
      withApp<Options>(async (app, options) => {
        if (options.json && options.output === undefined) {
          throw new OperatorError('With --json, name the file to write with --output.')
        }
        const organizationId = await organizationOf(app, options)
        const filter = filterOf(options)
        if ((filter.fromAt ?? -Infinity) > (filter.toAt ?? Infinity)) {
          throw new OperatorError('--from is later than --to.')
        }
        const exported = await write(app, { organizationId, filter, options })
        const text =
          options.output === undefined ? null : `${exported} records are in ${options.output}.`
        return { report: { exported }, text }
      }),
    )
}

/** A watcher that is named must be there, and one of this organization. */
async function organizationOf(app: App, { org, watcher }: Options): Promise<string> {
  if (watcher === undefined) return findOrganization(app, org)
  const { organizationId } = await findWatcher(app, watcher)
  if (org === undefined || org === organizationId) return organizationId
  throw new OperatorError(`${watcher} is a watcher of another organization than ${org}.`)
}

const ListText = z
  .string()
  .default('')
  .transform((text) => text.split(',').map((part) => part.trim()))
  .transform((parts) => parts.filter((part) => part !== ''))
const Minimum = z
  .string()
  .regex(/^-?\d{1,15}$/, 'give a whole number')
  .transform(Number)

function filterOf(options: Options): ExportFilter {
  const optional = <Schema extends z.ZodType>(name: string, schema: Schema, value?: string) =>
    value === undefined ? null : parseOption(name, schema, value)
  return {
    matchedOnly: options.matched ?? false,
    platforms: parseOption('--platforms', ListText.pipe(z.array(Platform)), options.platforms),
    channels: ListText.parse(options.subforums).map(channelKey),
    tags: ListText.parse(options.tags),
    watcherId: options.watcher ?? null,
    minScore: optional('--min-score', Minimum, options.minScore),
    minComments: optional('--min-comments', Minimum, options.minComments),
    fromAt: optional('--from', Beginning, options.from),
    toAt: optional('--to', End, options.to),
    keyword: options.keyword ?? null,
  }
}

const COLUMNS = [
  'id',
  'platform',
  'forumId',
  'subforum',
  'title',
  'body',
  'permalink',
  'url',
  'score',
  'numComments',
  'forumCreatedAt',
  'author',
  'matched',
  'tags',
  'verification',
  'firstSeenAt',
] as const satisfies Exclude<keyof ExportedRecord, 'matches'>[]

async function write(
  app: App,
  {
    organizationId,
    filter,
    options,
  }: { organizationId: string; filter: ExportFilter; options: Options },
): Promise<number> {
  using line = new ProgressLine()
  const out = options.output === undefined ? process.stdout : createWriteStream(options.output)
  const failed = finished(out, { readable: false }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0) // whoever reads, `head` for example, has enough
    throw new OperatorError(`The records cannot be written (${error.message}).`)
  })
  failed.catch(() => {}) // whoever writes next, or waits for the end, is told
  let count = 0
  if (options.format === 'csv') await put(out, csvLine(COLUMNS), failed)
  for await (const records of exportRecords(app.db, organizationId, filter)) {
    const lines = records.map((record) => lineOf(record, options.format))
    await put(out, lines.join(''), failed)
    count += records.length
    line.show(null, `${count} records`)
  }
  if (out !== process.stdout) {
    out.end()
    await failed
  }
  return count
}

function lineOf(record: ExportedRecord, format: Options['format']): string {
  if (format === 'ndjson') return `${JSON.stringify(record)}\n`
  return csvLine(COLUMNS.map((name) => record[name]))
}

/** Waits for a slow reader, and ends when there is none any more. */
async function put(out: Writable, text: string, failed: Promise<unknown>): Promise<void> {
  if (text === '' || out.write(text)) return
  await Promise.race([once(out, 'drain'), failed])
}
