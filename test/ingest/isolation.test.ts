import { describe, expect, test } from 'vitest'
import { CrawlRunCompleted } from '#src/contract/event.ts'
import { runWatcherNow } from '#src/jobs/run-watcher.ts'
import { recordPage } from '#src/records/record-page-store.ts'
import { changeWatcher } from '#src/watchers/change-watcher.ts'
import { pauseWatcher, resumeWatcher } from '#src/watchers/pause-watcher.ts'
import { removeWatcher } from '#src/watchers/remove-watcher.ts'
import { ENGINES } from '#test/support/place.ts'
import {
  aWatcher,
  contextOf,
  matchesIn,
  publish,
  recordsIn,
  round,
  rowsIn,
  runsIn,
  tagsIn,
  watch,
  watchingApp,
} from '#test/support/watching.ts'

describe.concurrent.each(ENGINES)('two organizations on one channel on %s', (engine) => {
  test('have records, matches, tags, runs and events of their own', async () => {
    await using home = await watchingApp(engine)
    const { db } = home.app
    const globex = await home.testApp.createOrganization('Globex')
    publish(home, { title: 'a NAS' })
    publish(home, { title: 'a cat' })
    const ours = await watch(home, { rules: [{ any: ['nas'], tags: ['hardware'] }] })
    const theirs = await watch(home, { rules: [{ any: ['cat'], tags: ['pets'] }] }, globex)

    await round(home)

    expect(await matchesIn(db, home.organizationId)).toEqual({ 'a NAS': [ours.id] })
    expect(await matchesIn(db, globex)).toEqual({ 'a cat': [theirs.id] })
    expect(await tagsIn(db, home.organizationId)).toEqual({ 'a NAS': ['hardware'] })
    expect(await tagsIn(db, globex)).toEqual({ 'a cat': ['pets'] })
    const ids = (await rowsIn(db, 'record')).map(({ id }) => id)
    expect(new Set(ids).size).toBe(4)
    for (const key of [ours, theirs]) {
      const { organizationId } = key
      expect(await recordsIn(db, organizationId)).toHaveLength(2)
      expect(await recordPage(db, { organizationId, belowKey: null, limit: 9 })).toHaveLength(2)
      expect(await runsIn(db, { organizationId })).toMatchObject([
        { watcher_id: key.id, matched: 1, new_posts: 2 },
      ])
      const events = await db
        .selectFrom('event')
        .select('body')
        .where('organization_id', '=', organizationId)
        .execute()
      expect(
        events.map(({ body }) => CrawlRunCompleted.parse(JSON.parse(body)).data),
      ).toMatchObject([{ organization_id: organizationId, watcher_id: key.id }])
    }
  })

  test('an organization that does not watch the channel gets nothing of it', async () => {
    await using home = await watchingApp(engine)
    const globex = await home.testApp.createOrganization('Globex')
    publish(home, { title: 'a NAS' })
    publish(home, { subforum: 'homelab', title: 'a rack' })
    await watch(home)
    await watch(home, { channels: [{ platform: 'forum', subforum: 'homelab' }] }, globex)

    await round(home)
    await round(home, { platform: 'forum', channel: 'homelab' })

    const titlesOf = async (organizationId: string) =>
      (await recordsIn(home.app.db, organizationId)).map(({ title }) => title)
    expect(await titlesOf(home.organizationId)).toEqual(['a NAS'])
    expect(await titlesOf(globex)).toEqual(['a rack'])
  })

  test('neither can pause, resume, change, remove or run a watcher of the other', async () => {
    await using home = await watchingApp(engine)
    const { db } = home.app
    const globex = await home.testApp.createOrganization('Globex')
    const { id } = await watch(home, { name: 'Ours' })
    const before = await rowsIn(db, 'watcher')
    const stolen = { organizationId: globex, id }
    const { signal } = new AbortController()

    for (const attempt of [
      () => pauseWatcher(db, stolen),
      () => resumeWatcher(db, stolen, home.app.clock()),
      () => changeWatcher(contextOf(home.app), stolen, aWatcher({ name: 'Theirs' })),
      () => removeWatcher(db, stolen),
      () => runWatcherNow(home.app, stolen, signal),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }

    expect(await rowsIn(db, 'watcher')).toEqual(before)
    expect(await rowsIn(db, 'watcher_channel')).toHaveLength(1)
    expect(await runsIn(db)).toEqual([])
  })
})
