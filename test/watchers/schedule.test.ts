import { describe, expect, test, vi } from 'vitest'
import type { App } from '#src/app.ts'
import { crawlChannel } from '#src/jobs/crawl-channel.ts'
import { JOBS } from '#src/jobs/registry.ts'
import { LEASE_MS, runJob } from '#src/jobs/run-job.ts'
import { startWorker } from '#src/jobs/worker.ts'
import { minutes, seconds } from '#src/lib/duration.ts'
import { createWatcher } from '#src/watchers/create-watcher.ts'
import { control } from '#test/simulate/client.ts'
import { scriptedServer } from '#test/sources/support/scripted-server.ts'
import { neighbourOf } from '#test/support/neighbour.ts'
import { ENGINES } from '#test/support/place.ts'
import { testApp } from '#test/support/test-app.ts'
import {
  aWatcher,
  contextOf,
  platformAt,
  publish,
  recordsIn,
  round,
  rowsIn,
  runsIn,
  takeJob,
  watch,
  watchingApp,
  type WatchingApp,
} from '#test/support/watching.ts'

/** A worker looks for jobs every second. */
const SOON = { timeout: 20_000, interval: 20 }
const WORK = { queues: ['crawl' as const], jobs: JOBS }
const INTERVAL_MS = minutes(5)
/** An interval with the most that chance adds. */
const SURELY_DUE_MS = INTERVAL_MS * 1.1 + 1

describe.concurrent.each(ENGINES)('the schedule on %s', (engine) => {
  test('a new watcher’s first run starts within 5 s of a running worker', async () => {
    await using home = await watchingApp(engine)
    publish(home)
    await using _worker = await startWorker(home.app, WORK)

    const { id } = await watch(home)

    await vi.waitFor(
      async () => expect(await runsIn(home.app.db, { id })).toMatchObject([{ posts_fetched: 1 }]),
      { timeout: 5_000, interval: 20 },
    )
  })

  test('a channel is fetched again after the interval, a tenth to and fro, and not before', async () => {
    await using home = await watchingApp(engine)
    await watch(home, { intervalSeconds: 300 })
    await watch(home, { intervalSeconds: 3_600 })

    const before = home.app.clock()
    await round(home)
    const after = home.app.clock()

    const [job] = await rowsIn(home.app.db, 'job')
    expect(job?.run_at).toBeGreaterThanOrEqual(before + INTERVAL_MS * 0.9)
    expect(job?.run_at).toBeLessThanOrEqual(after + SURELY_DUE_MS)
  })

  test('two processes share the channels, and none is fetched twice in a round', async () => {
    await using home = await watchingApp(engine)
    const names = Array.from({ length: 12 }, (_, index) => `channel_${index}`)
    for (const subforum of names) publish(home, { subforum })
    await watch(home, { channels: names.map((subforum) => ({ platform: 'forum', subforum })) })
    await using neighbour = await neighbourOf(home.testApp, { variables: home.variables })

    await using _one = await startWorker(home.app, WORK)
    await using _two = await startWorker(neighbour.app, WORK)
    await untilRuns(home.app, 12)
    expect(fetches(home)).toEqual(names.map(() => 1))
    await untilNobodyIsAtWork(home.app)
    home.advance(SURELY_DUE_MS)
    await untilRuns(home.app, 24)

    expect(fetches(home)).toEqual(names.map(() => 2))
    expect(await recordsIn(home.app.db, home.organizationId)).toHaveLength(12)
  })

  test('the work of a process that vanished is taken over after its lease, and not before', async () => {
    await using home = await watchingApp(engine)
    const channels = ['selfhosted', 'homelab'].map((subforum) => ({
      platform: 'forum' as const,
      subforum,
    }))
    publish(home)
    publish(home, { subforum: 'homelab' })
    await watch(home, { channels })
    await takeJob(home.app) // and is never heard of again

    await using _worker = await startWorker(home.app, WORK)
    await untilRuns(home.app, 1)
    expect(await runsIn(home.app.db)).toMatchObject([{ subforum: 'homelab' }])
    home.advance(LEASE_MS)

    await untilRuns(home.app, 2)
    expect(await recordsIn(home.app.db, home.organizationId)).toHaveLength(2)
  })

  test('failures count up, since when and why are kept, and a success ends them', async () => {
    await using home = await watchingApp(engine)
    publish(home)
    await watch(home)
    await round(home)
    const [fine] = await rowsIn(home.app.db, 'channel')
    await control(home.simulation, { channels: [{ name: 'selfhosted', access: 'private' }] })

    await round(home)
    const [once] = await rowsIn(home.app.db, 'channel')
    home.advance(minutes(1))
    await round(home)
    const [twice] = await rowsIn(home.app.db, 'channel')
    await control(home.simulation, { channels: [{ name: 'selfhosted', access: 'public' }] })
    await round(home)
    const [again] = await rowsIn(home.app.db, 'channel')

    const last_error = expect.stringMatching(/does not let us read r\/selfhosted/)
    expect(fine).toMatchObject({ failures: 0, failing_since: null, last_error: null })
    expect(once).toMatchObject({ failures: 1, last_error, cursor: fine?.cursor })
    expect(twice).toMatchObject({ failures: 2, last_error, failing_since: once?.failing_since })
    expect(twice?.cursor).toBe(fine?.cursor)
    expect(again).toMatchObject({ failures: 0, failing_since: null, last_error: null })
  })

  test('a channel that fails is tried again later and later', async () => {
    await using home = await watchingApp(engine)
    await watch(home, { channels: [{ platform: 'forum', subforum: 'nowhere' }] })

    const waitsMs: number[] = []
    for (let failure = 1; failure <= 4; failure += 1) {
      await round(home, { platform: 'forum', channel: 'nowhere' })
      const [job] = await rowsIn(home.app.db, 'job')
      waitsMs.push((job?.run_at ?? 0) - home.app.clock())
    }

    expect(waitsMs).toEqual(waitsMs.toSorted((a, b) => a - b))
    expect(waitsMs[0]).toBeLessThanOrEqual(seconds(33))
    expect(waitsMs[3]).toBeGreaterThan(minutes(3))
  })

  test('a channel that does not exist disturbs no other', async () => {
    await using home = await watchingApp(engine)
    publish(home)
    await watch(home, {
      channels: [
        { platform: 'forum', subforum: 'nowhere' },
        { platform: 'forum', subforum: 'selfhosted' },
      ],
    })

    await using _worker = await startWorker(home.app, WORK)
    await untilRuns(home.app, 2)

    const runs = await runsIn(home.app.db)
    const bySubforum = new Map(runs.map((run) => [run.subforum, run]))
    expect(bySubforum.get('selfhosted')).toMatchObject({ status: 'ok', posts_fetched: 1 })
    expect(bySubforum.get('nowhere')).toMatchObject({
      status: 'error',
      error: 'There is no forum channel r/nowhere, or it is gone.',
    })
    expect(await recordsIn(home.app.db, home.organizationId)).toHaveLength(1)
  })

  test('Retry-After moves the next fetch, and the run says what happened', async () => {
    await using server = await scriptedServer(() => ({
      status: 429,
      headers: { 'retry-after': '1800' },
    }))
    await using home = await testApp(engine, platformAt(server.url, true))
    const { organizationId } = home.owner
    await createWatcher(contextOf(home.app), organizationId, aWatcher())

    const before = home.app.clock()
    await round(home)

    const [job] = await rowsIn(home.app.db, 'job')
    expect(job?.run_at).toBeGreaterThanOrEqual(before + seconds(1_800))
    expect(await runsIn(home.app.db)).toMatchObject([
      { status: 'error', error: 'The forum answered HTTP 429: it wants fewer requests.' },
    ])
    expect(server.asked).toHaveLength(1)
  })

  test('posts of a time in which the channel could not be read come when it can be', async () => {
    await using home = await watchingApp(engine)
    publish(home, { title: 'first' })
    await watch(home)
    await round(home)
    await control(home.simulation, { channels: [{ name: 'selfhosted', access: 'private' }] })
    publish(home, { title: 'second' })
    await round(home)
    publish(home, { title: 'third' })
    await control(home.simulation, { channels: [{ name: 'selfhosted', access: 'public' }] })

    await round(home)

    expect(await recordsIn(home.app.db, home.organizationId)).toHaveLength(3)
    expect(await runsIn(home.app.db)).toMatchObject([
      { status: 'ok', new_posts: 1 },
      { status: 'error', new_posts: 0 },
      { status: 'ok', new_posts: 2 },
    ])
  })

  test('a round that is cut short by a stop is given back, and made by the next process', async () => {
    await using home = await watchingApp(engine)
    publish(home)
    await watch(home)
    const job = await takeJob(home.app)

    await runJob(home.app, job, { known: crawlChannel, signal: AbortSignal.abort() })

    expect(await runsIn(home.app.db)).toEqual([])
    expect(await rowsIn(home.app.db, 'job')).toMatchObject([{ lease: null, attempts: 0 }])
    await round(home)
    expect(await runsIn(home.app.db)).toMatchObject([{ status: 'ok', posts_fetched: 1 }])
  })
})

async function untilRuns({ db }: App, count: number): Promise<void> {
  await vi.waitFor(async () => expect(await runsIn(db)).toHaveLength(count), SOON)
}

/** Time that is moved ahead would otherwise end a lease in the middle of the work. */
async function untilNobodyIsAtWork({ db }: App): Promise<void> {
  await vi.waitFor(async () => {
    const jobs = await rowsIn(db, 'job')
    expect(jobs.filter(({ lease }) => lease !== null)).toEqual([])
  }, SOON)
}

/** Of each channel, in no order that matters. */
function fetches({ simulation }: WatchingApp): number[] {
  return Object.values(simulation.meter.requests.byChannel)
}
