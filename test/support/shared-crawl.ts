// Two processes that crawl and one that serves, on one PostgreSQL, all of them reading a simulation
// through a relay that notes what each of them asks for.

import { readConfig } from '#src/config.ts'
import { channelKey } from '#src/contract/platform.ts'
import type { Db } from '#src/db/database.ts'
import { openDatabase } from '#src/db/open-database.ts'
import { startSimulation } from '#src/simulate/simulation.ts'
import { foundedPlace, type FoundedPlace } from './founded-place.ts'
import { addWatchers, FORUM_CHANNELS, watchFromBeginning } from './overlapping-watchers.ts'
import { startService, type RunningService } from './program.ts'
import { watchRequests, type Exchange } from './request-watch.ts'
import { platformsAt } from './simulated-platforms.ts'

export interface SharedCrawl extends AsyncDisposable {
  place: FoundedPlace
  db: Db
  first: RunningService
  second: RunningService
  /** Those that somebody watches, as `platform/channel`. */
  channels: string[]
  /** The requests for the channels' listings, by channel. */
  fetches(): Map<string, Exchange[]>
}

/** More than one process takes on at a time, so that there is always some left for the other. */
const MANY = Array.from({ length: 24 }, (_, index) => `channel_${index}`)
/** Enough for a second fetch of a channel to begin before the first is answered. */
const LATENCY_MS: [number, number] = [30, 120]

export async function startSharedCrawl(): Promise<SharedCrawl> {
  await using stack = new AsyncDisposableStack()
  const place = stack.use(await foundedPlace('postgres'))
  const { db } = stack.use(await openDatabase(readConfig(place.variables).database))
  const simulation = stack.use(
    await startSimulation({
      channels: [...FORUM_CHANNELS, ...MANY],
      historyPerChannel: 10,
      ratePerMinute: 300,
      faults: { latencyMs: LATENCY_MS },
    }),
  )
  const watch = stack.use(await watchRequests(simulation.url))
  const watching = await watchFromBeginning(db, place)
  const organization = { name: 'First', organizationId: place.organizationId }
  const plan = { name: 'Many', watches: MANY.map((name) => `forum/${name}`) }
  watching.push(await addWatchers(db, organization, [plan]))
  // Without credentials the forum is read through its feeds: one request a round.
  const start = async (role: string, name: string): Promise<RunningService> =>
    stack.use(
      await startService(place, role, { ...platformsAt(watch.url), EARSHOT_USER_AGENT: name }),
    )
  const [first, second] = await Promise.all([
    start('crawl', 'first'),
    start('crawl', 'second'),
    start('serve', 'server'),
  ])
  const parts = stack.move()
  return {
    place,
    db,
    first,
    second,
    channels: [...new Set(watching.flatMap(({ channels }) => channels))],
    fetches: () => fetchesIn(watch.exchanges),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

function fetchesIn(exchanges: readonly Exchange[]): Map<string, Exchange[]> {
  const fetches = new Map<string, Exchange[]>()
  for (const exchange of exchanges) {
    const channel = channelOf(exchange.path)
    if (channel !== null) fetches.set(channel, [...(fetches.get(channel) ?? []), exchange])
  }
  return fetches
}

function channelOf(path: string): string | null {
  const feed = /^\/r\/(?<name>[^/]+)\/new\/\.rss$/.exec(path)?.groups?.['name']
  if (feed !== undefined) return `forum/${channelKey(feed)}`
  const list = /^\/v0\/(?<name>\w+)stories\.json$/.exec(path)?.groups?.['name']
  return list === undefined ? null : `newsboard/${list}`
}

/** When each round of each channel began, oldest first: a round has a run for every watcher. */
export async function roundsIn(db: Db): Promise<Map<string, number[]>> {
  const runs = await db
    .selectFrom('crawl_run')
    .select(['platform', 'subforum', 'started_at as startedAt'])
    .orderBy('started_at')
    .execute()
  const rounds = new Map<string, Set<number>>()
  for (const { platform, subforum, startedAt } of runs) {
    const channel = `${platform}/${channelKey(subforum)}`
    rounds.set(channel, (rounds.get(channel) ?? new Set()).add(startedAt))
  }
  return new Map(rounds.entries().map(([channel, starts]) => [channel, [...starts]]))
}
