import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CrawlRun } from '#src/contract/crawl-run.ts'
import { insertRuns, type Run } from '#src/ingest/run-store.ts'
import { newId } from '#src/lib/id.ts'
import { expectRefusal } from '#test/support/expect-refusal.ts'
import { foundedPlace, storedIn, type FoundedPlace } from '#test/support/founded-place.ts'
import { ENGINES } from '#test/support/place.ts'
import { earshot, earshotJson } from '#test/support/program.ts'
import { storeOrganization, storeWatcher } from '#test/support/written-watcher.ts'

const NOON = Date.UTC(2026, 0, 1, 12)

describe.concurrent.each(ENGINES)('earshot runs list on %s', (engine) => {
  let place: FoundedPlace // one for all: none of them changes anything
  let theirs: string
  let watcherId: string

  beforeAll(async () => {
    place = await foundedPlace(engine)
    theirs = await storeOrganization(place, 'Globex')
    watcherId = await storeWatcher(place)
    const { organizationId } = place
    await storeRuns(place, [
      aRun({ organizationId, watcherId, startedAt: NOON }),
      aRun({ organizationId, watcherName: 'Other', startedAt: NOON + 1_000 }),
      aRun({ organizationId, watcherId, startedAt: NOON + 2_000, status: 'error', error: 'Gone.' }),
      aRun({ organizationId: theirs, watcherName: 'Theirs', startedAt: NOON + 3_000 }),
    ])
  })
  afterAll(() => place[Symbol.asyncDispose]())

  test('tells the runs of one organization, newest first', async () => {
    const { items } = await list(place, '--org', place.organizationId)

    for (const item of items) expect(CrawlRun.parse(item)).toEqual(item)
    expect(items).toMatchObject([
      {
        watcherName: 'Servers',
        status: 'error',
        error: 'Gone.',
        startedAt: '2026-01-01T12:00:02.000Z',
      },
      { watcherName: 'Other', status: 'ok', error: null, startedAt: '2026-01-01T12:00:01.000Z' },
      { watcherName: 'Servers', status: 'ok', startedAt: '2026-01-01T12:00:00.000Z' },
    ])
  })

  test('tells those of a watcher, whichever organization it is of, up to a limit', async () => {
    const both = await list(place, '--watcher', watcherId)
    const newest = await list(place, '--watcher', watcherId, '--limit', '1')

    expect(both.items).toMatchObject([
      { watcherId, status: 'error' },
      { watcherId, status: 'ok' },
    ])
    expect(newest.items).toEqual(both.items.slice(0, 1))
  })

  test('never tells those of another organization', async () => {
    const { items } = await list(place, '--org', theirs)

    expect(items.map(({ watcherName }) => watcherName)).toEqual(['Theirs'])
  })
})

describe.concurrent('earshot runs list', () => {
  let place: FoundedPlace // one for all: none of them changes anything

  beforeAll(async () => {
    place = await foundedPlace('sqlite')
    const { organizationId } = place
    await storeRuns(place, [aRun({ organizationId, status: 'error', error: 'It is private.' })])
  })
  afterAll(() => place[Symbol.asyncDispose]())

  test('is a table for people', async () => {
    const { stdout } = await earshot(place, ['runs', 'list'])

    const [head, row, ...rest] = stdout.split('\n')
    expect(head).toMatch(/^STARTED +WATCHER +CHANNEL +STATUS +FETCHED +NEW +MATCHED +TAGGED +MS$/)
    const [startedAt, watcher, channel, status, ...numbers] = row?.split(/ {2,}/) ?? []
    expect({ startedAt, watcher, channel, status, numbers }).toEqual({
      startedAt: '2026-01-01T12:00:00.000Z',
      watcher: 'Servers',
      channel: 'forum/selfhosted',
      status: 'error: It is private.',
      numbers: ['4', '3', '2', '1', '250'],
    })
    expect(rest).toEqual([''])
  })

  test('says so where there are none', async () => {
    await using empty = await foundedPlace('sqlite')

    const { code, stdout } = await earshot(empty, ['runs', 'list'])

    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^There are no runs/),
    })
  })

  test.each([
    { what: 'a limit of none', args: ['--limit', '0'], reason: /^earshot: --limit / },
    { what: 'a limit that is no number', args: ['--limit', 'all'], reason: /^earshot: --limit / },
    { what: 'an unknown watcher', args: ['--watcher', 'wat_x'], reason: /no watcher wat_x/ },
    { what: 'an unknown organization', args: ['--org', 'org_x'], reason: /no organization org_x/ },
  ])('refuses $what', async ({ args, reason }) => {
    expectRefusal(await earshot(place, ['runs', 'list', ...args, '--json']), reason)
  })
})

function aRun(given: Pick<Run, 'organizationId'> & Partial<Run>): Run {
  const { startedAt = NOON } = given
  return {
    id: newId('run', startedAt),
    watcherId: 'wat_gone',
    watcherName: 'Servers',
    platform: 'forum',
    subforum: 'selfhosted',
    status: 'ok',
    postsFetched: 4,
    newPosts: 3,
    matched: 2,
    tagged: 1,
    error: null,
    durationMs: 250,
    startedAt,
    ...given,
  }
}

function storeRuns(place: FoundedPlace, runs: readonly Run[]): Promise<void> {
  return storedIn(place, (db) => db.transaction().execute((trx) => insertRuns(trx, runs)))
}

function list(place: FoundedPlace, ...options: string[]): Promise<{ items: CrawlRun[] }> {
  return earshotJson(place, ['runs', 'list', ...options])
}
