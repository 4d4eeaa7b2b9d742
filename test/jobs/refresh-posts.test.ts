import { describe, expect, test } from 'vitest'
import { exportRecords } from '#src/records/export-records.ts'
import { recordPage } from '#src/records/record-page-store.ts'
import { refreshPosts } from '#src/jobs/refresh-posts.ts'
import { days, hours, minutes } from '#src/lib/duration.ts'
import { isoTime } from '#src/lib/iso-time.ts'
import { control } from '#test/simulate/client.ts'
import { ENGINES } from '#test/support/place.ts'
import {
  matchesIn,
  publish,
  recordsIn,
  round,
  roundFromStart,
  rowsIn,
  tagsIn,
  watch,
  watchingApp,
  type WatchingApp,
} from '#test/support/watching.ts'

const AGES_MS = [hours(1), hours(6), hours(24), days(3), days(7)]
const NEW = { platform: 'newsboard' as const, channel: 'new' }
const TOP = { platform: 'newsboard' as const, channel: 'top' }
const EVERYTHING = {
  matchedOnly: false,
  platforms: [],
  channels: [],
  tags: [],
  watcherId: null,
  minScore: null,
  minComments: null,
  fromAt: null,
  toAt: null,
  keyword: null,
}

describe.concurrent.each(ENGINES)('looking at posts again on %s', (engine) => {
  test('updates score and comments at 1 h, 6 h, 24 h, 3 d and 7 d, and then never more', async () => {
    await using home = await watchingApp(engine)
    const forumId = publish(home)
    await watch(home)
    await round(home)
    const [{ created_at: createdAt } = { created_at: 0 }] = await rowsIn(
      home.app.db,
      'post_refresh',
    )

    for (const [index, ageMs] of AGES_MS.entries()) {
      const score = 100 + index
      await control(home.simulation, {
        scores: [{ platform: 'forum', forumId, score, numComments: index }],
      })
      expect(await rowsIn(home.app.db, 'post_refresh')).toMatchObject([
        { forum_id: forumId, due_at: createdAt + ageMs },
      ])
      expect(await refresh(home)).toMatchObject({ looked: 0 })

      home.advance(createdAt + ageMs - home.app.clock())

      expect(await refresh(home)).toMatchObject({ looked: 1, removed: 0 })
      expect(await recordsIn(home.app.db, home.organizationId)).toMatchObject([
        { score, num_comments: index },
      ])
    }
    expect(await rowsIn(home.app.db, 'post_refresh')).toEqual([])
  })

  test('asks once for a post that several organizations hold, and updates all of them', async () => {
    await using home = await watchingApp(engine)
    const globex = await home.testApp.createOrganization('Globex')
    const forumId = publish(home)
    await watch(home)
    await watch(home, {}, globex)
    await round(home)
    await control(home.simulation, { scores: [{ platform: 'forum', forumId, score: 77 }] })

    home.advance(hours(1))
    await refresh(home)

    expect(home.simulation.meter.requests.byRoute['forum info']).toBe(1)
    expect(await rowsIn(home.app.db, 'record')).toMatchObject([{ score: 77 }, { score: 77 }])
  })

  test('a rule that asks for a score matches when the post has reached it', async () => {
    await using home = await watchingApp(engine)
    const forumId = publish(home, { title: 'a NAS', score: 1 })
    const { id } = await watch(home, { rules: [{ any: ['nas'], minScore: 50, tags: ['hot'] }] })
    await round(home)
    expect(await recordsIn(home.app.db, home.organizationId)).toMatchObject([{ matched: 0 }])
    await control(home.simulation, { scores: [{ platform: 'forum', forumId, score: 60 }] })

    home.advance(hours(1))
    await refresh(home)

    expect(await recordsIn(home.app.db, home.organizationId)).toMatchObject([
      { matched: 1, verification: 'pending' },
    ])
    expect(await matchesIn(home.app.db, home.organizationId)).toEqual({ 'a NAS': [id] })
    expect(await tagsIn(home.app.db, home.organizationId)).toEqual({ 'a NAS': ['hot'] })
  })

  test('a rule on one list of the newsboard matches a post that came by another list first', async () => {
    await using home = await watchingApp(engine)
    const forumId = publish(home, { platform: 'newsboard', subforum: 'new', title: 'a NAS' })
    await watch(home, { channels: [{ platform: 'newsboard', subforum: 'new' }] })
    const { id } = await watch(home, {
      channels: [{ platform: 'newsboard', subforum: 'top' }],
      rules: [{ any: ['nas'], minScore: 50 }],
    })
    await round(home, NEW)
    await round(home, TOP)
    await control(home.simulation, { scores: [{ platform: 'newsboard', forumId, score: 60 }] })

    home.advance(hours(1))
    await refresh(home)

    expect(await matchesIn(home.app.db, home.organizationId)).toEqual({ 'a NAS': [id] })
  })

  test('a post that was removed is a tombstone in every organization, and in no result', async () => {
    await using home = await watchingApp(engine)
    const { db } = home.app
    const globex = await home.testApp.createOrganization('Globex')
    const wanted = {
      channels: [
        { platform: 'forum' as const, subforum: 'selfhosted' },
        { platform: 'newsboard' as const, subforum: 'new' },
      ],
      rules: [{ any: ['secret'], tags: ['found'] }],
    }
    const removals = [
      { platform: 'forum', forumId: publish(home, { title: 'secret one', body: 'secret' }) },
      {
        platform: 'newsboard',
        forumId: publish(home, { platform: 'newsboard', subforum: 'new', title: 'secret two' }),
      },
    ]
    publish(home, { title: 'secret that stays' })
    await watch(home, wanted)
    await watch(home, wanted, globex)
    await round(home)
    await round(home, NEW)
    await control(home.simulation, { removals })

    home.advance(hours(1))
    expect(await refresh(home)).toMatchObject({ looked: 3, removed: 2 })

    for (const organizationId of [home.organizationId, globex]) {
      const page = await recordPage(db, { organizationId, belowKey: null, limit: 9 })
      expect(page.map(({ title }) => title)).toEqual(['secret that stays'])
      expect(await exported(home, organizationId)).toEqual(['secret that stays'])
      const gone = (await recordsIn(db, organizationId)).filter((one) => one.removed_at !== null)
      expect(gone).toHaveLength(2)
      for (const { id, removed_at, key, ...rest } of gone) {
        expect(id).toMatch(/^rec_/)
        expect(removed_at).toBeLessThanOrEqual(home.app.clock())
        expect(key).toBeTypeOf('number')
        expect(JSON.stringify(rest)).not.toContain('secret')
        expect(rest).toMatchObject({ title: '', body: '', text: '', author: '', url: null })
      }
    }
    expect(await rowsIn(db, 'record_match')).toHaveLength(2)
    expect(await rowsIn(db, 'record_tag')).toHaveLength(2)
  })

  test('a tombstone that a crawl sees again comes back, with its matches and tags', async () => {
    await using home = await watchingApp(engine)
    const { db } = home.app
    const forumId = publish(home, { title: 'a NAS' })
    const key = await watch(home, { rules: [{ any: ['nas'], tags: ['hardware'] }] })
    await round(home)
    const [before] = await recordsIn(db, home.organizationId)
    await takeDown(home, forumId)
    expect(await recordsIn(db, home.organizationId)).toMatchObject([{ title: '' }])

    Object.assign(home.simulation.world.get('forum', forumId) ?? {}, { removal: null })
    await roundFromStart(home, key)

    expect(await recordsIn(db, home.organizationId)).toEqual([before])
    expect(await matchesIn(db, home.organizationId)).toEqual({ 'a NAS': [key.id] })
    expect(await tagsIn(db, home.organizationId)).toEqual({ 'a NAS': ['hardware'] })
  })

  test('a tombstone that is there again when it is looked at comes back, with its matches', async () => {
    await using home = await watchingApp(engine)
    const { db } = home.app
    const forumId = publish(home, { title: 'a NAS' })
    const key = await watch(home, { rules: [{ any: ['nas'] }] })
    await round(home)
    await takeDown(home, forumId)

    Object.assign(home.simulation.world.get('forum', forumId) ?? {}, { removal: null })
    home.advance(hours(5))
    await refresh(home)

    expect(await recordsIn(db, home.organizationId)).toMatchObject([
      { title: 'a NAS', matched: 1, verification: 'pending', removed_at: null },
    ])
    expect(await matchesIn(db, home.organizationId)).toEqual({ 'a NAS': [key.id] })
  })

  test('a tombstone that comes back with a text no rule wants is not matched', async () => {
    await using home = await watchingApp(engine)
    const { db } = home.app
    const forumId = publish(home, { title: 'a NAS' })
    const key = await watch(home, { rules: [{ any: ['nas'] }] })
    await round(home)
    await takeDown(home, forumId)

    const post = home.simulation.world.get('forum', forumId)
    Object.assign(post ?? {}, { removal: null, title: 'a cat' })
    await roundFromStart(home, key)

    expect(await rowsIn(db, 'record_match')).toEqual([])
    expect(await recordsIn(db, home.organizationId)).toMatchObject([
      { title: 'a cat', matched: 0, verification: 'clear' },
    ])
  })

  test('a platform that cannot be asked postpones it, and nothing is lost', async () => {
    await using home = await watchingApp(engine)
    const forumId = publish(home, { title: 'a NAS', score: 1 })
    await watch(home)
    await round(home)
    await control(home.simulation, {
      scores: [{ platform: 'forum', forumId, score: 60 }],
      faults: { garbage: 1, only: '/api/info' },
    })

    home.advance(hours(1))
    const askedAt = home.app.clock()
    expect(await refresh(home)).toMatchObject({ looked: 0 })

    const [due] = await rowsIn(home.app.db, 'post_refresh')
    expect(due?.due_at).toBeGreaterThanOrEqual(askedAt + minutes(5))
    expect(await recordsIn(home.app.db, home.organizationId)).toMatchObject([
      { title: 'a NAS', score: 1, removed_at: null },
    ])
    await control(home.simulation, { faults: {} })
    home.advance(minutes(6))
    await refresh(home)
    expect(await recordsIn(home.app.db, home.organizationId)).toMatchObject([{ score: 60 }])
  })

  test('a platform that cannot be asked does not keep the other waiting', async () => {
    await using home = await watchingApp(engine)
    publish(home)
    const forumId = publish(home, { platform: 'newsboard', subforum: 'new', score: 1 })
    await watch(home)
    await watch(home, { channels: [{ platform: 'newsboard', subforum: 'new' }] })
    await round(home)
    await round(home, NEW)
    await control(home.simulation, {
      scores: [{ platform: 'newsboard', forumId, score: 60 }],
      faults: { garbage: 1, only: '/api/info' },
    })

    home.advance(hours(1))
    expect(await refresh(home)).toMatchObject({ looked: 1 })

    const records = await recordsIn(home.app.db, home.organizationId)
    expect(records.find(({ platform }) => platform === 'newsboard')).toMatchObject({ score: 60 })
  })

  test('a post of more than 7 days is not on the list, and one that reached them leaves it', async () => {
    await using home = await watchingApp(engine)
    publish(home, { title: 'old', forumCreatedAt: isoTime(home.app.clock() - days(7)) })
    const forumId = publish(home, { title: 'young' })
    await watch(home)
    await round(home)
    expect(await rowsIn(home.app.db, 'post_refresh')).toMatchObject([{ forum_id: forumId }])

    home.advance(days(9))
    expect(await refresh(home)).toMatchObject({ looked: 1 })

    expect(await rowsIn(home.app.db, 'post_refresh')).toEqual([])
  })
})

/** Its platform removes the post, and the next look at it tells. */
async function takeDown(home: WatchingApp, forumId: string): Promise<void> {
  await control(home.simulation, { removals: [{ platform: 'forum', forumId }] })
  home.advance(hours(1))
  await refresh(home)
}

function refresh({ app }: WatchingApp) {
  return refreshPosts.run(app, new AbortController().signal)
}

async function exported({ app }: WatchingApp, organizationId: string): Promise<string[]> {
  const pages = await Array.fromAsync(exportRecords(app.db, organizationId, EVERYTHING))
  return pages.flat().map(({ title }) => title)
}
