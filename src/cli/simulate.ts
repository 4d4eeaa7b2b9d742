import { once } from 'node:events'
import type { Command } from 'commander'
import { z } from 'zod'
import { OperatorError } from '../errors.ts'
import { startSimulation, type SimulationOptions } from '../simulate/simulation.ts'
import { parseOption } from './failure.ts'
import { print } from './output.ts'

type Given = Record<string, string | boolean | undefined>

const CHANNELS = 'selfhosted,SaaS,webdev,smallbusiness'

export function addSimulate(program: Command): void {
  program
    .command('simulate')
    .description('play both platforms on this machine, for a demonstration or a test')
    .option('--port <number>', 'the port to listen on; 0 takes any free one', '8090')
    .option('--seed <number>', 'another seed, another world', '1')
    .option('--channels <names>', 'the forum’s channels, comma-separated', CHANNELS)
    .option('--history <count>', 'how many posts every channel begins with', '200')
    .option('--rate <count>', 'new posts per minute of real time (default: 30)')
    .option('--speed <factor>', 'how much faster time runs, from a day ago until it is now')
    .option(
      '--removals <share>',
      'the share of generated posts that are removed later, 0 to 1',
      '0.02',
    )
    .option('--file <path>', 'take the posts from this .ndjson or .ndjson.gz instead')
    .option('--all', 'with --file: all of them at once, rather than one after the other')
    .option('--keep <count>', 'the most posts to remember; the oldest are dropped', '100000')
    .option('--budget <count>', 'requests a client may send to the forum in ten minutes', '1000')
    .option('--latency-ms <range>', 'how long every answer takes, 50 or 50-400', '0')
    .option('--fault-429 <share>', 'the share of answers that say “too many”, 0 to 1', '0')
    .option('--fault-5xx <share>', 'the share of answers that are a server’s failure', '0')
    .option('--fault-garbage <share>', 'the share of answers that cannot be read', '0')
    .option('--fault-hang <share>', 'the share of requests that are never answered', '0')
    .action((given: Given, command: Command) => run(given, command.optsWithGlobals()))
}

async function run(given: Given, { json = false }: { json?: boolean }): Promise<void> {
  const stopped = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
  await using simulation = await startSimulation(optionsOf(given))
  const { url, skippedLines } = simulation
  const settings = settingsFor(url)
  print(
    { report: { url, settings, skippedLines }, text: textOf(url, settings, skippedLines) },
    json,
  )
  await stopped
}

function optionsOf(given: Given): SimulationOptions {
  const number = (name: string, schema: z.ZodNumber): number =>
    parseOption(`--${name}`, z.coerce.number().pipe(schema), given[camelCase(name)])
  const share = (name: string): number => number(name, z.number().min(0).max(1))
  const speed = given['speed'] === undefined ? undefined : number('speed', z.number().min(1))
  return {
    port: number('port', z.int().min(0).max(65_535)),
    seed: number('seed', z.int()),
    channels: String(given['channels'])
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
    historyPerChannel: number('history', z.int().min(0)),
    ratePerMinute: given['rate'] === undefined ? 30 : number('rate', z.number().min(0)),
    speed,
    removals: share('removals'),
    mostPosts: number('keep', z.int().min(1)),
    budget: { limit: number('budget', z.int().min(1)), windowMs: 600_000 },
    faults: {
      latencyMs: latencyOf(String(given['latencyMs'])),
      tooMany: share('fault-429'),
      serverError: share('fault-5xx'),
      garbage: share('fault-garbage'),
      hang: share('fault-hang'),
    },
    ...fileOf(given),
  }
}

/** With a speed and no rate a file is replayed in its own rhythm. */
function fileOf({ file, all, rate, speed }: Given): Pick<SimulationOptions, 'file'> {
  if (file === undefined && all === true) throw new OperatorError('--all goes with --file.')
  if (file === undefined) return {}
  const inRhythm = rate === undefined && speed !== undefined
  return { file: { path: String(file), all: all === true, inRhythm } }
}

function latencyOf(text: string): [number, number] {
  const range = /^(?<least>\d{1,6})(?:-(?<most>\d{1,6}))?$/.exec(text)?.groups
  if (range === undefined) throw new OperatorError('--latency-ms is not accepted: 50 or 50-400.')
  const least = Number(range['least'])
  return [least, Number(range['most'] ?? least)]
}

/** The way Commander names its values. */
function camelCase(option: string): string {
  return option.replaceAll(/-(?<letter>\w)/g, (_, letter: string) => letter.toUpperCase())
}

function settingsFor(url: string): Record<string, string> {
  return {
    EARSHOT_FORUM_API_URL: url,
    EARSHOT_FORUM_WEB_URL: url,
    EARSHOT_FORUM_CLIENT_ID: 'simulated',
    EARSHOT_FORUM_CLIENT_SECRET: 'simulated',
    EARSHOT_NEWSBOARD_ITEMS_URL: url,
    EARSHOT_NEWSBOARD_SEARCH_URL: url,
    EARSHOT_MIN_INTERVAL_SECONDS: '5',
  }
}

function textOf(url: string, settings: Record<string, string>, skippedLines: number): string {
  return [
    `Both platforms are at ${url}, until Ctrl-C. Start the service with:`,
    '',
    ...Object.entries(settings).map(([name, value]) => `${name}=${value} \\`),
    'npm start',
    ...(skippedLines === 0 ? [] : ['', `${skippedLines} lines of the file were no posts.`]),
  ].join('\n')
}
