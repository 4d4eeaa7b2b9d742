import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { previewRules } from '#src/ingest/preview-rules.ts'
import { rematchOf, rematchWatcher } from '#src/jobs/rematch-watcher.ts'
import { LEASE_MS, runJob } from '#src/jobs/run-job.ts'
import { claimJob } from '#src/queue/job-store.ts'
import { changeWatcher } from '#src/watchers/change-watcher.ts'
import { removeWatcher } from '#src/watchers/remove-watcher.ts'
import type { WatcherKey } from '#src/watchers/watcher-store.ts'
import { ENGINES } from '#test/support/place.ts'
import {
  aWatcher,
  contextOf,
  matchesIn,
  publish,
  recordsIn,
  round,
  rowsIn,
  tagsIn,
  watch,
  watchingApp,
  type WantedWatcher,
  type WatchingApp,
} from '#test/support/watching.ts'

type WantedRules = NonNullable<WantedWatcher['rules']>

const { signal } = new AbortController()
const NAS: WantedRules = [{ any: ['nas'], tags: ['hardware'] }]
const CAT: WantedRules = [{ any: ['cat'], tags: ['pets'] }]

describe.concurrent.each(ENGINES)('other rules for stored records on %s', (engine) => {
  test('a preview tells per UTC day what would come and go, and changes nothing', async () => {
    await using home = await watchingApp(engine)
    publish(home, { title: 'NAS one', forumCreatedAt: '2026-03-01T00:00:00Z' })
    publish(home, { title: 'NAS two', forumCreatedAt: '2026-03-01T23:59:59Z' })
    publish(home, { title: 'cat one', forumCreatedAt: '2026-03-01T12:00:00Z' })
    publish(home, { title: 'cat two', forumCreatedAt: '2026-03-02T00:00:00Z' })
    publish(home, { title: 'NAS and cat', forumCreatedAt: '2026-03-03T00:00:00Z' })
    publish(home, { title: 'neither', forumCreatedAt: '2026-03-04T00:00:00Z' })
    const key = await watch(home, { rules: NAS })
    await round(home)
    const before = await stored(home)

    const preview = await previewOf(home, key, CAT)

    expect(preview).toEqual({
      examined: 6,
      add: 2,
      drop: 2,
      keep: 1,
      days: [
        { day: '2026-03-02', add: 1, drop: 0 },
        { day: '2026-03-01', add: 1, drop: 2 },
      ],
    })
    expect(await stored(home)).toEqual(before)
  })

  test('after the change everything is as the preview said', async () => {
    await using home = await watchingApp(engine)
    const { db } = home.app
    for (const title of ['a NAS', 'a cat', 'a NAS for a cat', 'neither']) publish(home, { title })
    const key = await watch(home, { rules: NAS })
    await round(home)
    const preview = await previewOf(home, key, CAT)

    await changeRules(home, key, CAT)
    const [finished] = await rematch(home)

    expect(preview).toMatchObject({ examined: 4, add: 1, drop: 1, keep: 1 })
    expect(finished).toBe(1)
    expect(await matchesIn(db, home.organizationId)).toEqual({
      'a cat': [key.id],
      'a NAS for a cat': [key.id],
    })
    expect(await tagsIn(db, home.organizationId)).toEqual({
      'a cat': ['pets'],
      'a NAS for a cat': ['pets'],
    })
    expect(await standing(home)).toEqual({
      'a NAS': [0, 'clear'],
      'a cat': [1, 'pending'],
      'a NAS for a cat': [1, 'pending'],
      neither: [0, 'clear'],
    })
    const terms = (await rowsIn(db, 'record_match')).map(({ term }) => term)
    expect(terms).toEqual(['cat', 'cat'])
    expect(await previewOf(home, key, CAT)).toMatchObject({ add: 0, drop: 0, keep: 2, days: [] })
  })

  test('it goes through every page of the stored records', async () => {
    await using home = await watchingApp(engine)
    for (let index = 0; index < 450; index += 1) publish(home, { title: `post ${index}` })
    const key = await watch(home)
    await round(home)

    const preview = await previewOf(home, key, [{ any: ['post'] }])
    await changeRules(home, key, [{ any: ['post'] }])
    await rematch(home)

    expect(preview).toMatchObject({ examined: 450, add: 450, drop: 0 })
    expect(await rowsIn(home.app.db, 'record_match')).toHaveLength(450)
  })

  test('tags that a person gave stay', async () => {
    await using home = await watchingApp(engine)
    const { db } = home.app
    publish(home, { title: 'a NAS' })
    const key = await watch(home, { rules: NAS })
    await round(home)
    const [record] = await recordsIn(db, home.organizationId)
    const common = { organization_id: home.organizationId, record_key: record?.key ?? 0 }
    await db
      .insertInto('record_tag')
      .values({ ...common, tag: 'read later', origin: 'person' })
      .execute()

    await changeRules(home, key, CAT)
    await rematch(home)

    expect(await tagsIn(db, home.organizationId)).toEqual({ 'a NAS': ['read later'] })
  })

  test('a tag that a person gave stays, although a rule would have given it too', async () => {
    await using home = await watchingApp(engine)
    const { db } = home.app
    publish(home, { title: 'a NAS' })
    const key = await watch(home, { rules: NAS })
    await round(home)
    await db.updateTable('record_tag').set({ origin: 'person' }).execute()

    await changeRules(home, key, CAT)
    await rematch(home)

    expect(await tagsIn(db, home.organizationId)).toEqual({ 'a NAS': ['hardware'] })
  })

  test('a record that another watcher matches stays matched, with the tags of that one', async () => {
    await using home = await watchingApp(engine)
    const { db } = home.app
    publish(home, { title: 'a NAS' })
    const key = await watch(home, { rules: [{ any: ['nas'], tags: ['hardware', 'mine'] }] })
    const other = await watch(home, { rules: NAS })
    await round(home)

    await changeRules(home, key, CAT)
    await rematch(home)

    expect(await standing(home)).toEqual({ 'a NAS': [1, 'pending'] })
    expect(await matchesIn(db, home.organizationId)).toEqual({ 'a NAS': [other.id] })
    expect(await tagsIn(db, home.organizationId)).toEqual({ 'a NAS': ['hardware'] })
  })

  test('a record whose last keyword match goes has nothing to judge, although it stays matched', async () => {
    await using home = await watchingApp(engine)
    publish(home, { title: 'a NAS', score: 500 })
    const key = await watch(home, { rules: NAS })
    await watch(home, { rules: [{ minScore: 100 }] })
    await round(home)
    expect(await standing(home)).toEqual({ 'a NAS': [1, 'pending'] })

    await changeRules(home, key, CAT)
    await rematch(home)

    expect(await standing(home)).toEqual({ 'a NAS': [1, 'clear'] })
  })

  test('another organization’s records are neither examined nor changed', async () => {
    await using home = await watchingApp(engine)
    const globex = await home.testApp.createOrganization('Globex')
    publish(home, { title: 'a NAS' })
    const key = await watch(home, { rules: NAS })
    const theirs = await watch(home, { rules: NAS }, globex)
    await round(home)

    expect(await previewOf(home, key, CAT)).toMatchObject({ examined: 1, drop: 1 })
    await changeRules(home, key, CAT)
    await rematch(home)

    expect(await matchesIn(home.app.db, globex)).toEqual({ 'a NAS': [theirs.id] })
    expect(await tagsIn(home.app.db, globex)).toEqual({ 'a NAS': ['hardware'] })
  })

  test('a post that came by another list of the newsboard first is matched again too', async () => {
    await using home = await watchingApp(engine)
    publish(home, { platform: 'newsboard', subforum: 'new', title: 'a NAS' })
    await watch(home, { channels: [{ platform: 'newsboard', subforum: 'new' }] })
    const channels = [{ platform: 'newsboard' as const, subforum: 'top' }]
    const key = await watch(home, { channels, rules: NAS })
    await round(home, { platform: 'newsboard', channel: 'new' })
    await round(home, { platform: 'newsboard', channel: 'top' })
    expect(await matchesIn(home.app.db, home.organizationId)).toEqual({ 'a NAS': [key.id] })

    const wanted = aWatcher({ channels, rules: CAT })
    await changeWatcher(contextOf(home.app), key, wanted)
    await rematch(home)

    expect(await matchesIn(home.app.db, home.organizationId)).toEqual({})
    expect(await standing(home)).toEqual({ 'a NAS': [0, 'clear'] })
  })

  test('a change that leaves the rules as they are makes no work', async () => {
    await using home = await watchingApp(engine)
    const key = await watch(home, { rules: NAS })

    await changeWatcher(contextOf(home.app), key, aWatcher({ name: 'Other', rules: NAS }))

    expect(await rematch(home)).toEqual([0, 0])
  })

  test('of two changes in a row the last one counts', async () => {
    await using home = await watchingApp(engine)
    publish(home, { title: 'a NAS' })
    const key = await watch(home, { rules: NAS })
    await round(home)

    await changeRules(home, key, CAT)
    await changeRules(home, key, [{ any: ['a nas'], tags: ['disk'] }])
    await rematch(home)

    expect(await matchesIn(home.app.db, home.organizationId)).toEqual({ 'a NAS': [key.id] })
    expect(await tagsIn(home.app.db, home.organizationId)).toEqual({ 'a NAS': ['disk'] })
  })

  test('the job of a watcher that was removed ends, and its records stay matched', async () => {
    await using home = await watchingApp(engine)
    publish(home, { title: 'a NAS' })
    const key = await watch(home, { rules: NAS })
    await round(home)
    await changeRules(home, key, CAT)
    await removeWatcher(home.app.db, key)

    expect(await rematch(home)).toEqual([1, 0])

    expect(await standing(home)).toEqual({ 'a NAS': [1, 'pending'] })
  })
})

async function changeRules(home: WatchingApp, key: WatcherKey, rules: WantedRules): Promise<void> {
  await changeWatcher(contextOf(home.app), key, aWatcher({ rules }))
}

async function previewOf({ app }: WatchingApp, key: WatcherKey, rules: WantedRules) {
  const wanted = aWatcher({ rules })
  return previewRules(app.db, await rematchOf(app, { ...key, rules: wanted.rules }))
}

/** Runs what is to do; how much there was, and how much is left. */
async function rematch({ app }: WatchingApp): Promise<[number, number]> {
  const jobs = await workOf(app)
  for (const { queue, id } of jobs) {
    const terms = { now: app.clock(), leaseMs: LEASE_MS, lease: randomUUID() }
    const job = await claimJob(app.db, { queue, id }, terms)
    if (job !== undefined) await runJob(app, job, { known: rematchWatcher, signal })
  }
  return [jobs.length, (await workOf(app)).length]
}

function workOf({ db }: WatchingApp['app']) {
  return db
    .selectFrom('job')
    .select(['queue', 'id'])
    .where('name', '=', rematchWatcher.name)
    .orderBy('id')
    .execute()
}

async function stored({ app }: WatchingApp) {
  const tables = ['record', 'record_match', 'record_tag', 'job', 'watcher'] as const
  return Promise.all(tables.map((table) => rowsIn(app.db, table)))
}

async function standing({ app, organizationId }: WatchingApp) {
  const records = await recordsIn(app.db, organizationId)
  return Object.fromEntries(
    records.map(({ title, matched, verification }) => [title, [matched, verification]]),
  )
}
