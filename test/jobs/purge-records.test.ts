import { describe, expect, test } from 'vitest'
import { purgeRecords } from '#src/jobs/purge-records.ts'
import { days } from '#src/lib/duration.ts'
import { isoTime } from '#src/lib/iso-time.ts'
import { ENGINES } from '#test/support/place.ts'
import {
  matchesIn,
  publish,
  recordsIn,
  round,
  rowsIn,
  tagsIn,
  watch,
  watchingApp,
  type WatchingApp,
} from '#test/support/watching.ts'

const MONTH = { EARSHOT_RETENTION_DAYS: '30' }

describe.concurrent.each(ENGINES)('retention on %s', (engine) => {
  test('takes records older than the setting with their matches and tags, in every organization', async () => {
    await using home = await watchingApp(engine, { variables: MONTH })
    const { db } = home.app
    const globex = await home.testApp.createOrganization('Globex')
    publishAged(home, 'old', 21)
    publishAged(home, 'young', 19)
    const wanted = { rules: [{ any: ['old', 'young'], tags: ['aged'] }] }
    const ours = await watch(home, wanted)
    const theirs = await watch(home, wanted, globex)
    await round(home)
    home.advance(days(10))

    expect(await purge(home)).toEqual({ records: 2 })

    for (const { organizationId, id } of [ours, theirs]) {
      expect(await recordsIn(db, organizationId)).toMatchObject([{ title: 'young' }])
      expect(await matchesIn(db, organizationId)).toEqual({ young: [id] })
      expect(await tagsIn(db, organizationId)).toEqual({ young: ['aged'] })
    }
    expect(await rowsIn(db, 'record_match')).toHaveLength(2)
    expect(await rowsIn(db, 'record_tag')).toHaveLength(2)
  })

  test('goes on in steps until nothing old is left', async () => {
    await using home = await watchingApp(engine, { variables: MONTH })
    for (let index = 0; index < 620; index += 1) publishAged(home, `old ${index}`, 20)
    publishAged(home, 'young', 1)
    await watch(home)
    await round(home)
    home.advance(days(11))

    expect(await purge(home)).toEqual({ records: 620 })

    expect(await rowsIn(home.app.db, 'record')).toMatchObject([{ title: 'young' }])
  })

  test('a record goes when its time has come', async () => {
    await using home = await watchingApp(engine, { variables: MONTH })
    publish(home)
    await watch(home)
    await round(home)
    home.advance(days(29))
    expect(await purge(home)).toEqual({ records: 0 })

    home.advance(days(2))

    expect(await purge(home)).toEqual({ records: 1 })
    expect(await rowsIn(home.app.db, 'record')).toEqual([])
  })

  test('a crawl does not bring back what is older than the setting', async () => {
    await using home = await watchingApp(engine, { variables: MONTH })
    publishAged(home, 'old', 31)
    publishAged(home, 'young', 29)
    await watch(home)

    await round(home)

    expect(await rowsIn(home.app.db, 'record')).toMatchObject([{ title: 'young' }])
  })

  test('0 keeps everything', async () => {
    await using home = await watchingApp(engine, { variables: { EARSHOT_RETENTION_DAYS: '0' } })
    publishAged(home, 'ancient', 9_000)
    await watch(home)
    await round(home)

    expect(await purge(home)).toEqual({ records: 0 })

    expect(await rowsIn(home.app.db, 'record')).toHaveLength(1)
  })
})

function publishAged(home: WatchingApp, title: string, ageDays: number): void {
  const forumCreatedAt = isoTime(home.app.clock() - days(ageDays))
  publish(home, { title, forumCreatedAt })
}

function purge({ app }: WatchingApp) {
  return purgeRecords.run(app, new AbortController().signal)
}
