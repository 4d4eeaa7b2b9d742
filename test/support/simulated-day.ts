// A day on both platforms within a minute, watched by the real program, which is killed and started
// again all the time. What it left in the database is handed back, beside what there was to see.

import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '#src/config.ts'
import type { Platform } from '#src/contract/platform.ts'
import type { Db, EngineName } from '#src/db/database.ts'
import { openDatabase } from '#src/db/open-database.ts'
import { days, minutes } from '#src/lib/duration.ts'
import { between, seededRandom, type Random } from '#src/simulate/random.ts'
import { startSimulation, type Simulation } from '#src/simulate/simulation.ts'
import { foundedPlace, type FoundedPlace } from './founded-place.ts'
import {
  FORUM_CHANNELS,
  watchFromBeginning,
  watchFromNow,
  type Watching,
} from './overlapping-watchers.ts'
import { startService } from './program.ts'
import { FORUM_CREDENTIALS, platformsAt, wish } from './simulated-platforms.ts'
import {
  nameOf,
  runsToldOf,
  storedRecords,
  storedRuns,
  type StoredRecord,
  type StoredRun,
} from './stored-crawl.ts'

const SEED = 7
const KILLS = 10
/** In which life of the service the third organization begins to watch, and when the burst comes. */
const THIRD_BEGINS = 4
const BURST_AFTER = 6
const DAY_MS = 60_000
const LONGEST_START_MS = 30_000
/** A dead process's leases last 20 s: whoever gets nothing for longer than that gets nothing. */
const LONGEST_STANDSTILL_MS = 40_000

/**
 * At this rate the newsboard's shorter lists hold their whole day, so that whoever begins late can
 * still see all of it.
 */
const POSTS_PER_MINUTE = 2_000

/** A 429 closes the whole host for two seconds, and a hanging answer costs up to twenty. */
const FAULTS = {
  latencyMs: [2, 40] as [number, number],
  tooMany: 0.002,
  serverError: 0.02,
  garbage: 0.03,
  hang: 0.0002,
}

export interface Day {
  watching: Watching[]
  /** What each organization could see, as `platform/forumId`. */
  visible: Map<string, Set<string>>
  /** Of all posts: those that the platforms took down. */
  removed: Set<string>
  /** Those that were taken down when these organizations had them already. */
  removedLate: StoredRecord[]
  faults: Record<string, number>
  /** How often the newsboard's search was asked for what its lists no longer held. */
  searches: number
  records: StoredRecord[]
  runs: StoredRun[]
  /** The runs as the events tell of them. */
  told: StoredRun[]
  gaps: { platform: string; channel: string; reason: string }[]
}

interface Stage {
  place: FoundedPlace
  simulation: Simulation
  db: Db
  random: Random
  watching: Watching[]
  removedLate: StoredRecord[]
}

export async function liveThroughDay(engine: EngineName): Promise<Day> {
  await using place = await foundedPlace(engine)
  await using database = await openDatabase(readConfig(place.variables).database)
  const beganAt = Date.now()
  await using simulation = await startDay(beganAt)
  const { db } = database
  const watching = await watchFromBeginning(db, place)
  const random = seededRandom(SEED)
  const stage: Stage = { place, simulation, db, random, watching, removedLate: [] }

  for (let life = 0; life < KILLS; life += 1) {
    // Each life has its tenth of the day, and ends at some moment of it.
    const killedAt = beganAt + ((life + 0.4 + 0.6 * random()) * DAY_MS) / KILLS
    await liveUntil(stage, killedAt)
    if (life === THIRD_BEGINS) watching.push(await watchFromNow(db, place))
    if (life === BURST_AFTER) await burst(simulation)
  }
  await sleep(Math.max(0, beganAt + DAY_MS - Date.now()))
  await wish(simulation, { faults: {} })
  await catchUp(stage)
  return await remainsOf(stage)
}

/** When the day is over, the world's time stands still, and so nothing is posted any more. */
function startDay(beganAt: number): Promise<Simulation> {
  return startSimulation({
    seed: SEED,
    channels: FORUM_CHANNELS,
    historyPerChannel: 15,
    ratePerMinute: POSTS_PER_MINUTE,
    speed: days(1) / DAY_MS,
    removals: 0.03,
    faults: FAULTS,
    budget: { limit: 1_000_000, windowMs: minutes(10) },
    clock: () => Math.min(Date.now(), beganAt + DAY_MS),
  })
}

async function liveUntil(stage: Stage, killedAt: number): Promise<void> {
  const { place, simulation } = stage
  const variables = { ...platformsAt(simulation.url), ...FORUM_CREDENTIALS }
  await using service = await startService(place, 'all', variables)
  await sleep(Math.max(200, killedAt - Date.now()))
  await begun(stage)
  await removeNewest(stage)
  await service.stop('SIGKILL')
}

/**
 * The newest post that is known of a channel is where the service goes on from: so it is this one
 * that disappears. The service is at work meanwhile, and may have more of them than told here.
 */
async function removeNewest({ simulation, db, random, removedLate }: Stage): Promise<void> {
  const channel = FORUM_CHANNELS[between(random, 0, 4)]?.toLowerCase() ?? ''
  const records = await storedRecords(db)
  const newest = records.findLast((one) => one.platform === 'forum' && one.channel === channel)
  if (newest === undefined) return
  const { platform, forumId } = newest
  await wish(simulation, { removals: [{ platform, forumId }] })
  removedLate.push(...records.filter((one) => nameOf(one) === nameOf(newest)))
}

/** While nobody looks: more than a list of the newsboard holds, and more than a page of the forum. */
async function burst(simulation: Simulation): Promise<void> {
  for (let count = 0; count < 25; count += 1) {
    for (let ten = 0; ten < 10; ten += 1) {
      const title = `Ask HN: What do you use in a hurry? ${count}/${ten}`
      simulation.add({ platform: 'newsboard', subforum: 'ask', title })
      simulation.add({ platform: 'forum', subforum: 'saas', title: `In a hurry ${count}/${ten}` })
    }
    await sleep(20)
  }
}

/**
 * A list of the newsboard is short, and what has left it before its first round is out of reach. So
 * nobody is killed before every channel was read once, by those who watch from the beginning.
 */
async function begun({ db, watching }: Stage): Promise<void> {
  const deadline = Date.now() + LONGEST_START_MS
  const organizationIds = watching.slice(0, 2).map(({ organizationId }) => organizationId)
  const waiting = db
    .selectFrom('watcher_channel')
    .select('channel')
    .where('organization_id', 'in', organizationIds)
    .where('started_at', 'is', null)
  while (Date.now() < deadline && (await waiting.execute()).length > 0) await sleep(100)
}

async function catchUp(stage: Stage): Promise<void> {
  const { place, simulation, db } = stage
  const variables = { ...platformsAt(simulation.url), ...FORUM_CREDENTIALS }
  await using service = await startService(place, 'all', variables)
  const progress = { missing: Infinity, madeAt: Date.now() }
  while (progress.missing > 0 && Date.now() < progress.madeAt + LONGEST_STANDSTILL_MS) {
    await sleep(500)
    const missing = missingOf(stage, await storedRecords(db))
    if (missing < progress.missing) Object.assign(progress, { missing, madeAt: Date.now() })
  }
  await service.stop('SIGTERM')
}

function missingOf({ simulation, watching }: Stage, records: readonly StoredRecord[]): number {
  const removed = removedOf(simulation)
  const kept = new Set(records.map((one) => `${one.organizationId}/${nameOf(one)}`))
  const expected = watching.flatMap(({ organizationId, channels }) =>
    [...visibleIn(simulation, channels)]
      .filter((name) => !removed.has(name))
      .map((name) => `${organizationId}/${name}`),
  )
  return expected.filter((name) => !kept.has(name)).length
}

async function remainsOf({ simulation, watching, db, removedLate }: Stage): Promise<Day> {
  const visible = new Map(
    watching.map(({ organizationId, channels }) => [
      organizationId,
      visibleIn(simulation, channels),
    ]),
  )
  return {
    watching,
    visible,
    removed: removedOf(simulation),
    removedLate,
    faults: { ...simulation.meter.faults },
    searches: simulation.meter.requests.byRoute['newsboard search_by_date'] ?? 0,
    records: await storedRecords(db),
    runs: await storedRuns(db),
    told: await runsToldOf(db),
    gaps: await db.selectFrom('channel_gap').select(['platform', 'channel', 'reason']).execute(),
  }
}

function visibleIn({ world }: Simulation, channels: readonly string[]): Set<string> {
  return new Set(
    channels.flatMap((channel) => {
      const [platform = ''] = channel.split('/')
      return world.everVisible.idsIn(channel).map((id) => `${platform}/${id}`)
    }),
  )
}

function removedOf({ world }: Simulation): Set<string> {
  const names = Object.entries(world.everVisible.toJSON()).flatMap(([channel, ids]) => {
    const platform: Platform = channel.startsWith('forum/') ? 'forum' : 'newsboard'
    const gone = ids.filter((id) => world.get(platform, id)?.removal !== null)
    return gone.map((id) => `${platform}/${id}`)
  })
  return new Set(names)
}
