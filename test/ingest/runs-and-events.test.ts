import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { CrawlRunCompleted } from '#src/contract/event.ts'
import { isoTime } from '#src/lib/iso-time.ts'
import { control } from '#test/simulate/client.ts'
import { ENGINES } from '#test/support/place.ts'
import {
  publish,
  recordsIn,
  round,
  rowsIn,
  runsIn,
  watch,
  watchingApp,
  type WatchingApp,
} from '#test/support/watching.ts'

describe.concurrent.each(ENGINES)('runs and their events on %s', (engine) => {
  test('a run counts what was fetched, matched, tagged and new', async () => {
    await using home = await watchingApp(engine)
    publish(home, { title: 'known' })
    await watch(home)
    await round(home)
    publish(home, { title: 'a NAS' })
    publish(home, { title: 'a NAS backup' })
    publish(home, { title: 'a cat' })

    const { id } = await watch(home, {
      name: 'Hardware',
      rules: [{ any: ['nas'] }, { any: ['backup'], tags: ['safety'] }],
    })
    await round(home)

    expect(await runsIn(home.app.db, { id })).toMatchObject([
      {
        watcher_name: 'Hardware',
        platform: 'forum',
        subforum: 'selfhosted',
        status: 'ok',
        posts_fetched: 4,
        matched: 2,
        tagged: 1,
        new_posts: 3,
        error: null,
      },
    ])
  })

  test('a run tells the channel’s name as its watcher wrote it', async () => {
    await using home = await watchingApp(engine)
    await watch(home, { channels: [{ platform: 'forum', subforum: 'r/SelfHosted' }] })

    await round(home)

    expect(await runsIn(home.app.db)).toMatchObject([{ subforum: 'SelfHosted' }])
  })

  test('every run has one event, whose body is the contract’s payload and tells the same', async () => {
    await using home = await watchingApp(engine)
    publish(home, { title: 'a NAS' })
    await watch(home, { name: 'One', rules: [{ any: ['nas'], tags: ['hardware'] }] })
    await watch(home, { name: 'Two' })
    await round(home) // with a post
    await round(home) // with none
    await control(home.simulation, { channels: [{ name: 'selfhosted', access: 'private' }] })
    await round(home) // with an error

    const runs = await runsIn(home.app.db)
    const events = await eventsIn(home)

    expect(runs).toHaveLength(6)
    expect(events.map(({ body }) => body.data).sort(byRun)).toEqual(runs.map(dataOf))
    for (const { row, body } of events) {
      expect(row.id).toMatch(/^evt_[0-9a-hjkmnp-tv-z]{26}$/)
      expect(row).toMatchObject({ id: body.id, kind: 'crawl.run.completed' })
      expect(row.organization_id).toBe(body.data.organization_id)
      expect(isoTime(row.created_at)).toBe(body.created_at)
    }
  })

  test('a run without posts is a run', async () => {
    await using home = await watchingApp(engine)
    await watch(home, { rules: [{ any: ['nas'] }] })

    await round(home)

    expect(await runsIn(home.app.db)).toMatchObject([
      { status: 'ok', posts_fetched: 0, matched: 0, tagged: 0, new_posts: 0, error: null },
    ])
    expect(await eventsIn(home)).toMatchObject([
      { body: { data: { status: 'ok', errored: false, posts_fetched: 0 } } },
    ])
  })

  test('an errored run says why in plain words', async () => {
    await using home = await watchingApp(engine)
    publish(home)
    await control(home.simulation, { channels: [{ name: 'selfhosted', access: 'private' }] })
    await watch(home)

    await round(home)

    const error =
      'The forum does not let us read r/selfhosted: it is private, quarantined or banned.'
    const counts = { posts_fetched: 0, matched: 0, tagged: 0, new_posts: 0 }
    expect(await runsIn(home.app.db)).toMatchObject([{ status: 'error', error, ...counts }])
    expect(await eventsIn(home)).toMatchObject([
      { body: { data: { status: 'error', errored: true, error, ...counts } } },
    ])
    expect(await rowsIn(home.app.db, 'record')).toEqual([])
  })

  test('when an event cannot be stored, nothing of the round is; the next one brings everything', async () => {
    await using home = await watchingApp(engine)
    const { db } = home.app
    publish(home, { title: 'a NAS' })
    await watch(home, { rules: [{ any: ['nas'], tags: ['hardware'] }] })
    await watch(home)
    await sql`create unique index one_event on event (organization_id, kind)`.execute(db)

    await round(home)

    for (const table of ['record', 'record_match', 'record_tag', 'crawl_run', 'event'] as const) {
      expect(await rowsIn(db, table)).toEqual([])
    }
    expect(await rowsIn(db, 'channel')).toEqual([])
    expect(await rowsIn(db, 'post_refresh')).toEqual([])
    expect(await rowsIn(db, 'watcher_channel')).toMatchObject([
      { started_at: null },
      { started_at: null },
    ])
    expect(await rowsIn(db, 'job')).toMatchObject([
      { id: 'forum/selfhosted', attempts: 1, lease: null },
    ])

    await sql`drop index one_event`.execute(db)
    await round(home)

    expect(await recordsIn(db, home.organizationId)).toMatchObject([{ title: 'a NAS', matched: 1 }])
    expect(await runsIn(db)).toMatchObject([{ new_posts: 1 }, { new_posts: 1 }])
    expect(await rowsIn(db, 'event')).toHaveLength(2)
    expect(await rowsIn(db, 'record_tag')).toHaveLength(1)
  })

  test('when later posts cannot be stored, the cursor stays and they come in the next round', async () => {
    await using home = await watchingApp(engine)
    const { db } = home.app
    publish(home, { title: 'first' })
    await watch(home)
    await round(home)
    const before = await rowsIn(db, 'channel')

    publish(home, { title: 'second' })
    await sql`create unique index one_event on event (organization_id, kind)`.execute(db)
    await round(home)
    expect(await rowsIn(db, 'channel')).toEqual(before)
    expect(await recordsIn(db, home.organizationId)).toMatchObject([{ title: 'first' }])
    await sql`drop index one_event`.execute(db)
    await round(home)

    const titles = (await recordsIn(db, home.organizationId)).map(({ title }) => title)
    expect(titles.sort()).toEqual(['first', 'second'])
    expect(await runsIn(db)).toMatchObject([{ posts_fetched: 1 }, { posts_fetched: 1 }])
    expect(await rowsIn(db, 'event')).toHaveLength(2)
  })
})

async function eventsIn({ app }: WatchingApp) {
  const rows = await rowsIn(app.db, 'event')
  return rows.map((row) => ({ row, body: CrawlRunCompleted.parse(JSON.parse(row.body)) }))
}

/** What the contract's payload must say of a run. */
function dataOf(run: Awaited<ReturnType<typeof runsIn>>[number]) {
  return {
    organization_id: run.organization_id,
    run_id: run.id,
    watcher_id: run.watcher_id,
    watcher_name: run.watcher_name,
    platform: run.platform,
    subforum: run.subforum,
    status: run.status,
    posts_fetched: run.posts_fetched,
    matched: run.matched,
    tagged: run.tagged,
    new_posts: run.new_posts,
    errored: run.status === 'error',
    error: run.error,
    duration_ms: run.duration_ms,
    started_at: isoTime(run.started_at),
  }
}

function byRun(a: { run_id: string }, b: { run_id: string }): number {
  return a.run_id < b.run_id ? -1 : 1
}
