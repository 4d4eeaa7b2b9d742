import { describe, expect, test, vi } from 'vitest'
import type { App } from '#src/app.ts'
import { crawlChannel } from '#src/jobs/crawl-channel.ts'
import { LeaseLostError } from '#src/jobs/job.ts'
import { LEASE_MS, runJob } from '#src/jobs/run-job.ts'
import { runWatcherNow } from '#src/jobs/run-watcher.ts'
import { changeWatcher } from '#src/watchers/change-watcher.ts'
import { pauseWatcher, resumeWatcher } from '#src/watchers/pause-watcher.ts'
import { removeWatcher } from '#src/watchers/remove-watcher.ts'
import type { WatcherKey } from '#src/watchers/watcher-store.ts'
import { neighbourOf } from '#test/support/neighbour.ts'
import { ENGINES } from '#test/support/place.ts'
import {
  aWatcher,
  contextOf,
  heldPlatform,
  platformAt,
  platformBehind,
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

const { signal } = new AbortController()
const SOON = { timeout: 20_000, interval: 20 }

describe.concurrent.each(ENGINES)('a round of a channel on %s', (engine) => {
  test('is one fetch for 50 watchers of 20 organizations, and 50 runs', async () => {
    await using home = await watchingApp(engine)
    publish(home, { title: 'a NAS' })
    const organizations = [home.organizationId]
    for (let index = 1; index < 20; index += 1) {
      organizations.push(await home.testApp.createOrganization(`Organization ${index}`))
    }
    for (let index = 0; index < 50; index += 1) {
      await watch(home, { rules: [{ any: ['nas'] }] }, organizations[index % 20])
    }

    await round(home)
    expect(fetchesOf(home)).toBe(1)
    await round(home)

    expect(fetchesOf(home)).toBe(2)
    expect(await runsIn(home.app.db)).toHaveLength(100)
    expect(await rowsIn(home.app.db, 'event')).toHaveLength(100)
    expect(await rowsIn(home.app.db, 'record')).toHaveLength(20)
    expect(await rowsIn(home.app.db, 'record_match')).toHaveLength(50)
  })

  test('asks only for what is new since the one before', async () => {
    await using home = await watchingApp(engine)
    publish(home, { title: 'first' })
    const key = await watch(home)
    await round(home)
    publish(home, { title: 'second' })

    await round(home)

    expect(await fetchedBy(home, key)).toEqual([1, 1])
    expect(await recordsIn(home.app.db, home.organizationId)).toHaveLength(2)
  })

  test('who joins later gets the whole listing alone, and the others no old post again', async () => {
    await using home = await watchingApp(engine)
    publish(home, { title: 'first' })
    publish(home, { title: 'second' })
    const old = await watch(home)
    await round(home)

    const globex = await home.testApp.createOrganization('Globex')
    const late = await watch(home, { rules: [{ any: ['first'] }] }, globex)
    publish(home, { title: 'third' })
    await round(home) // for the late one
    await round(home) // for both

    expect(await fetchedBy(home, late)).toEqual([3, 1])
    expect(await fetchedBy(home, old)).toEqual([2, 1])
    expect(await runsIn(home.app.db, late)).toMatchObject([{ new_posts: 3 }, { new_posts: 0 }])
    expect(await recordsIn(home.app.db, globex)).toHaveLength(3)
    expect(await recordsIn(home.app.db, home.organizationId)).toHaveLength(3)
  })

  test('who joins later and cannot be served does not keep the others from their news', async () => {
    await using home = await watchingApp(engine)
    let isDeepPageBroken = false
    await using platform = await platformBehind(home.simulation, async ({ query }) =>
      isDeepPageBroken && query.has('after') ? { body: 'no listing' } : null,
    )
    const variables = platformAt(platform.url)
    await using neighbour = await neighbourOf(home.testApp, { variables })
    for (let index = 0; index < 150; index += 1) publish(home, { title: `post ${index}` })
    await watch(home)
    await round(neighbour)

    isDeepPageBroken = true
    const late = await watch(home)
    publish(home, { title: 'news' })
    for (let count = 0; count < 3; count += 1) await round(neighbour)

    expect(await runsIn(home.app.db, late)).toContainEqual(
      expect.objectContaining({ status: 'error' }),
    )
    const titles = (await recordsIn(home.app.db, home.organizationId)).map(({ title }) => title)
    expect(titles).toContain('news')
  })

  test('a watcher that gets a further channel reads that one from the start', async () => {
    await using home = await watchingApp(engine)
    publish(home, { title: 'here' })
    publish(home, { subforum: 'homelab', title: 'there' })
    const key = await watch(home)
    await watch(home, { channels: [{ platform: 'forum', subforum: 'homelab' }] })
    await round(home)
    await round(home, { platform: 'forum', channel: 'homelab' })

    const channels = ['selfhosted', 'homelab'].map((subforum) => ({
      platform: 'forum' as const,
      subforum,
    }))
    await changeWatcher(contextOf(home.app), key, aWatcher({ channels }))
    const runs = await runWatcherNow(home.app, key, signal)

    const bySubforum = runs.map(({ subforum, postsFetched }) => [subforum, postsFetched])
    expect(Object.fromEntries(bySubforum)).toEqual({ selfhosted: 0, homelab: 1 })
  })

  test('a channel that only paused watchers have is retired, and its job with it', async () => {
    await using home = await watchingApp(engine)
    const key = await watch(home)
    await round(home)
    await pauseWatcher(home.app.db, key)

    await round(home)

    expect(fetchesOf(home)).toBe(1)
    expect(await rowsIn(home.app.db, 'job')).toEqual([])
    expect(await rowsIn(home.app.db, 'channel')).toEqual([])
    expect(await runsIn(home.app.db)).toHaveLength(1)
  })

  test('a watcher that is resumed finds what was posted while it was paused', async () => {
    await using home = await watchingApp(engine)
    const key = await watch(home, { rules: [{ any: ['nas'] }] })
    await watch(home)
    await round(home)
    await pauseWatcher(home.app.db, key)
    publish(home, { title: 'a NAS' })
    await round(home)
    expect(await rowsIn(home.app.db, 'record_match')).toEqual([])

    await resumeWatcher(home.app.db, key, home.app.clock())
    await round(home)

    expect(await rowsIn(home.app.db, 'record_match')).toMatchObject([{ watcher_id: key.id }])
    expect(await fetchedBy(home, key)).toEqual([0, 1])
  })

  test('a paused watcher is not run by hand', async () => {
    await using home = await watchingApp(engine)
    const key = await watch(home)
    await pauseWatcher(home.app.db, key)

    await expect(runWatcherNow(home.app, key, signal)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('a watcher that is removed while its channel is fetched has no run of it', async () => {
    await using home = await watchingApp(engine)
    await using held = await heldPlatform(home.simulation)
    await using neighbour = await neighbourOf(home.testApp, { variables: platformAt(held.url) })
    publish(home, { title: 'a NAS' })
    const gone = await watch(home, { rules: [{ any: ['nas'] }] })
    const stays = await watch(home)

    const running = round(neighbour)
    await held.asked
    await removeWatcher(home.app.db, gone)
    held.release()
    await running

    expect(await runsIn(home.app.db, gone)).toEqual([])
    expect(await fetchedBy(home, stays)).toEqual([1])
    expect(await rowsIn(home.app.db, 'record_match')).toEqual([])
    expect(await rowsIn(home.app.db, 'event')).toHaveLength(1)
  })

  test('a watcher that joins while its channel is fetched is next, at once', async () => {
    await using home = await watchingApp(engine)
    await using held = await heldPlatform(home.simulation)
    await using neighbour = await neighbourOf(home.testApp, { variables: platformAt(held.url) })
    publish(home)
    await watch(home)

    const running = round(neighbour)
    await held.asked
    const late = await watch(home)
    held.release()
    await running

    const [job] = await rowsIn(home.app.db, 'job')
    expect(job?.run_at).toBeLessThanOrEqual(home.app.clock())
    await round(home)
    expect(await fetchedBy(home, late)).toEqual([1])
  })

  test('a run by hand ends when its watcher is removed meanwhile', async () => {
    await using home = await watchingApp(engine)
    await using held = await heldPlatform(home.simulation)
    await using neighbour = await neighbourOf(home.testApp, { variables: platformAt(held.url) })
    const key = await watch(home)
    await watch(home)

    const giveUp = new AbortController()
    let isOver = false
    const running = runWatcherNow(neighbour.app, key, giveUp.signal)
      .catch(() => {})
      .finally(() => (isOver = true))
    await held.asked
    await removeWatcher(home.app.db, key)
    held.release()
    await vi.waitFor(() => expect(isOver || fetchesOf(home) > 5).toBe(true), SOON)
    giveUp.abort()
    await running

    expect(fetchesOf(home)).toBe(1)
  })

  test('one whose lease was lost keeps neither cursor nor started marks, and no post is lost', async () => {
    await using home = await watchingApp(engine)
    publish(home, { title: 'a NAS' })
    await watch(home)
    const lost = await takeJob(home.app)
    home.advance(LEASE_MS)
    const taken = await takeJob(home.app)

    await expect(crawlChannel.run(home.app, lost, signal)).rejects.toThrow(LeaseLostError)

    expect(await rowsIn(home.app.db, 'channel')).toEqual([])
    expect(await rowsIn(home.app.db, 'watcher_channel')).toMatchObject([{ started_at: null }])
    expect(await rowsIn(home.app.db, 'job')).toMatchObject([{ lease: taken.lease }])

    await runJob(home.app, taken, { known: crawlChannel, signal })

    expect(await recordsIn(home.app.db, home.organizationId)).toHaveLength(1)
    expect(await rowsIn(home.app.db, 'channel')).toMatchObject([
      { cursor: expect.stringContaining('known') },
    ])
    const runs = await runsIn(home.app.db)
    expect(await rowsIn(home.app.db, 'event')).toHaveLength(runs.length)
  })

  test('a retired channel that somebody begins to watch in the last moment keeps its job', async () => {
    await using home = await watchingApp(engine)
    const key = await watch(home)
    await round(home)
    await pauseWatcher(home.app.db, key)
    const job = await takeJob(home.app)

    await watch(home)
    await runJob(home.app, job, { known: crawlChannel, signal })

    expect(await rowsIn(home.app.db, 'job')).toMatchObject([{ lease: null }])
  })
})

function fetchesOf({ simulation }: WatchingApp): number {
  return simulation.meter.requests.byChannel['forum/selfhosted'] ?? 0
}

async function fetchedBy({ app }: { app: App }, key: WatcherKey): Promise<number[]> {
  const runs = await runsIn(app.db, key)
  return runs.map((run) => run.posts_fetched)
}
