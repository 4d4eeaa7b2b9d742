import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CrawlRun } from '#src/contract/crawl-run.ts'
import { CrawlRunCompleted } from '#src/contract/event.ts'
import { hours } from '#src/lib/duration.ts'
import { expectRefusal } from '#test/support/expect-refusal.ts'
import { foundedPlace, storedIn, type FoundedPlace } from '#test/support/founded-place.ts'
import { ENGINES } from '#test/support/place.ts'
import { earshot, earshotJson } from '#test/support/program.ts'
import { watchingPlace, type WatchingPlace } from '#test/support/watching-place.ts'
import { storeWatcher } from '#test/support/written-watcher.ts'

/** More than the newsboard lists, and more than its search gives for one question. */
const STORIES = 1_250
/** The one the backfill is to begin with: some are older. */
const FIRST_WANTED = 50
const NEWEST_AT = Date.UTC(2026, 5, 1)
const CHANNELS = [{ platform: 'newsboard', subforum: 'new' }]
const RULES = [{ any: ['story 100 of'], tags: ['hundredth'] }]

describe.concurrent.each(ENGINES)('earshot backfill on %s', (engine) => {
  test('brings what the list no longer holds, each once, and tells it in a run', async () => {
    await using place = await watchingPlace(engine, { posts: stories() })
    const id = await storeWatcher(place, { channels: CHANNELS, rules: RULES })
    await earshotJson(place, ['watchers', 'run', id])
    const listed = await forumIdsIn(place)

    const { items } = await backfill(place, id, '--since', timeOf(FIRST_WANTED))

    const wanted = STORIES - FIRST_WANTED + 1
    expect(listed).toHaveLength(500)
    expect(items).toMatchObject([
      { watcherId: id, status: 'ok', postsFetched: wanted, newPosts: wanted - 500, error: null },
    ])
    expect(items).toMatchObject([{ platform: 'newsboard', subforum: 'new', matched: 1, tagged: 1 }])
    expect(await forumIdsIn(place)).toEqual(storyIds(FIRST_WANTED))
    expect(await eventsOf(place, items[0]?.id)).toMatchObject([
      { data: { watcher_id: id, posts_fetched: wanted, new_posts: wanted - 500, errored: false } },
    ])
  })
})

describe.concurrent('earshot backfill', () => {
  test('tells a channel that cannot be read in a run of its own, and reads the others', async () => {
    await using place = await watchingPlace('sqlite', { posts: stories().slice(-3) })
    const channels = [{ platform: 'forum', subforum: 'nowhere' }, ...CHANNELS]
    const id = await storeWatcher(place, { channels })

    const outcome = await earshot(place, ['backfill', id, '--since', '2026-01-01'])

    const rows = outcome.stdout.split('\n').slice(1, -1).sort()
    expect(rows).toEqual([
      expect.stringMatching(/forum\/nowhere +error: \w+ .* 0 +0 +0 +0 /),
      expect.stringMatching(/newsboard\/new +ok +3 +3 +0 +0 /),
    ])
    expect(await forumIdsIn(place)).toHaveLength(3)
  })
})

describe.concurrent('earshot backfill refuses', () => {
  let place: FoundedPlace // one for all: none of them changes anything
  let id: string

  beforeAll(async () => {
    place = await foundedPlace('sqlite')
    id = await storeWatcher(place)
  })
  afterAll(() => place[Symbol.asyncDispose]())

  test.each(['yesterday', '2026-02-30', ''])('to begin with “%s”', async (since) => {
    const outcome = await earshot(place, ['backfill', id, '--since', since, '--json'])

    expectRefusal(outcome, /^earshot: --since is not accepted: .*2030-12-31/)
  })

  test('a watcher that is not there', async () => {
    const args = ['backfill', 'wat_nowhere', '--since', '2026-01-01', '--json']

    expectRefusal(await earshot(place, args), /no watcher wat_nowhere .*earshot watchers list/)
  })
})

/** The oldest has the number 1, and each is an hour newer than the one before. */
function stories() {
  return Array.from({ length: STORIES }, (_, index) => ({
    platform: 'newsboard' as const,
    subforum: 'new',
    forumId: String(index + 1),
    title: `This is story ${index + 1} of many`,
    forumCreatedAt: timeOf(index + 1),
  }))
}

function timeOf(story: number): string {
  return new Date(NEWEST_AT - (STORIES - story) * hours(1)).toISOString()
}

function storyIds(from: number): string[] {
  return Array.from({ length: STORIES - from + 1 }, (_, index) => String(from + index)).sort()
}

function backfill(
  place: FoundedPlace,
  id: string,
  ...options: string[]
): Promise<{ items: CrawlRun[] }> {
  return earshotJson(place, ['backfill', id, ...options])
}

async function forumIdsIn(place: WatchingPlace): Promise<string[]> {
  const rows = await storedIn(place, (db) => db.selectFrom('record').select('forum_id').execute())
  return rows.map(({ forum_id }) => forum_id).sort()
}

async function eventsOf(place: FoundedPlace, runId: string | undefined) {
  const rows = await storedIn(place, (db) => db.selectFrom('event').select('body').execute())
  const events = rows.map(({ body }) => CrawlRunCompleted.parse(JSON.parse(body)))
  return events.filter(({ data }) => data.run_id === runId)
}
