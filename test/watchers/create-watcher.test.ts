import { describe, expect, test } from 'vitest'
import { NewWatcher } from '#src/contract/watcher.ts'
import { AppError } from '#src/errors.ts'
import { createWatcher } from '#src/watchers/create-watcher.ts'
import { channelsOf, watcherById } from '#src/watchers/watcher-store.ts'
import { ENGINES } from '#test/support/place.ts'
import { testApp, type TestApp } from '#test/support/test-app.ts'
import { aWatcher, contextOf, rowsIn, type WantedWatcher } from '#test/support/watching.ts'

const FORUM = { platform: 'forum', subforum: 'selfhosted' }
const TERMS = Array.from({ length: 201 }, (_, index) => `term ${index}`)

describe('what a person writes for a watcher', () => {
  test.each([
    { what: 'no name', wanted: { name: ' ' }, paths: ['name'] },
    { what: 'no channel', wanted: { channels: [] }, paths: ['channels'] },
    {
      what: 'an unknown platform',
      wanted: { channels: [{ platform: 'usenet', subforum: 'alt' }] },
      paths: ['channels.0.platform'],
    },
    {
      what: 'a channel that the newsboard does not have',
      wanted: { channels: [{ platform: 'newsboard', subforum: 'best' }] },
      paths: ['channels.0.subforum'],
    },
    {
      what: 'a forum channel that cannot be one',
      wanted: { channels: [{ platform: 'forum', subforum: 'a/../b' }] },
      paths: ['channels.0.subforum'],
    },
    { what: 'an empty rule', wanted: { rules: [{ tags: ['a'] }] }, paths: ['rules.0'] },
    { what: 'an empty term', wanted: { rules: [{ any: ['ok', ' '] }] }, paths: ['rules.0.any.1'] },
    { what: 'too many terms', wanted: { rules: [{ any: TERMS }] }, paths: ['rules.0'] },
    {
      what: 'an unknown kind',
      wanted: { rules: [{ any: ['a'], kind: 'glob' }] },
      paths: ['rules.0.kind'],
    },
    {
      what: 'a tag with a comma',
      wanted: { rules: [{ any: ['a'], tags: ['a,b'] }] },
      paths: ['rules.0.tags.0'],
    },
    { what: 'an unknown field', wanted: { interval: 60 }, paths: [''] },
    {
      what: 'an unknown field of a rule',
      wanted: { rules: [{ any: ['a'], maxScore: 5 }] },
      paths: ['rules.0'],
    },
    {
      what: 'an interval of no seconds',
      wanted: { intervalSeconds: 0 },
      paths: ['intervalSeconds'],
    },
    {
      what: 'an interval of more than a day',
      wanted: { intervalSeconds: 86_401 },
      paths: ['intervalSeconds'],
    },
  ])('is not accepted with $what', ({ wanted, paths }) => {
    expect(mistakesIn(wanted).map(({ path }) => path)).toEqual(paths)
  })

  test('an unknown field is named', () => {
    expect(mistakesIn({ interval: 60 })[0]?.message).toContain('interval')
  })

  test('every mistake is told at once', () => {
    const wanted = {
      name: '',
      channels: [FORUM, { platform: 'usenet', subforum: 'alt' }],
      rules: [{ any: ['a'] }, {}, { any: [''] }],
      intervalSeconds: 'often',
    }

    expect(mistakesIn(wanted).map(({ path }) => path)).toEqual([
      'name',
      'channels.1.platform',
      'rules.1',
      'rules.2.any.0',
      'intervalSeconds',
    ])
  })

  test('a channel that is named twice is one, whatever way it is written', () => {
    const names = ['r/SelfHosted', 'selfhosted', '/r/SELFHOSTED', ' SelfHosted ']
    const channels = names.map((subforum) => ({ platform: 'forum' as const, subforum }))

    expect(aWatcher({ channels }).channels).toMatchObject([
      { platform: 'forum', key: 'selfhosted' },
    ])
  })

  test('all but name and channels has a default', () => {
    expect(NewWatcher.parse({ name: 'A watcher', channels: [FORUM] })).toMatchObject({
      rules: [],
      brief: null,
      intervalSeconds: 300,
    })
  })
})

describe.concurrent.each(ENGINES)('creating a watcher on %s', (engine) => {
  test('stores it and makes its channels due at once', async () => {
    await using home = await testApp(engine)
    const { db } = home.app
    const { organizationId } = home.owner
    const channels = [
      { platform: 'forum' as const, subforum: 'r/SelfHosted' },
      { platform: 'newsboard' as const, subforum: 'Ask' },
    ]

    const { id } = await create(home, {
      name: 'Backups',
      channels,
      rules: [{ any: ['backup'], tags: ['safety'] }],
      brief: 'who needs backups',
      intervalSeconds: 60,
    })

    expect(id).toMatch(/^wat_[0-9a-hjkmnp-tv-z]{26}$/)
    expect(await watcherById(db, { organizationId, id })).toMatchObject({
      name: 'Backups',
      rules: [{ any: ['backup'], kind: 'substring', fields: ['title', 'body'], tags: ['safety'] }],
      brief: 'who needs backups',
      intervalSeconds: 60,
      enabled: true,
    })
    expect(await channelsOf(db, { organizationId, id })).toEqual([
      { platform: 'forum', subforum: 'SelfHosted', key: 'selfhosted' },
      { platform: 'newsboard', subforum: 'Ask', key: 'ask' },
    ])
    const jobs = await rowsIn(db, 'job')
    expect(jobs.map((job) => job.id).sort()).toEqual(['forum/selfhosted', 'newsboard/ask'])
    for (const { run_at } of jobs) expect(run_at).toBeLessThanOrEqual(home.app.clock())
  })

  test('r/Name and NAME are one channel, with one job for all', async () => {
    await using home = await testApp(engine)

    await create(home, { channels: [{ platform: 'forum', subforum: 'r/SelfHosted' }] })
    await create(home, { channels: [{ platform: 'forum', subforum: 'SELFHOSTED' }] })

    expect(await rowsIn(home.app.db, 'job')).toMatchObject([{ id: 'forum/selfhosted' }])
  })

  test('tells every regex that cannot be run, and an interval below the minimum, at once', async () => {
    await using home = await testApp(engine)

    const failure = await create(home, {
      rules: [
        { kind: 'regex', any: ['fine', '('] },
        { kind: 'regex', all: ['a.{0,60}b.{0,60}q'], none: ['(?=ahead)'] },
        { any: ['('] }, // no regex here, so no mistake
        { kind: 'regex', any: ['x*'] },
      ],
      intervalSeconds: 59,
    }).catch((error: unknown) => error)

    expect(failure).toBeInstanceOf(AppError)
    expect(failure).toMatchObject({
      code: 'INVALID_REQUEST',
      details: [
        { path: 'rules.0.any.1', message: expect.stringContaining('not a regular expression') },
        { path: 'rules.1.all.0', message: expect.stringContaining('too complex') },
        { path: 'rules.1.none.0', message: expect.stringContaining('not a regular expression') },
        { path: 'rules.3.any.0', message: expect.stringContaining('matches the empty text') },
        { path: 'intervalSeconds', message: 'must be at least 60 seconds' },
      ],
    })
    expect(await rowsIn(home.app.db, 'watcher')).toEqual([])
    expect(await rowsIn(home.app.db, 'job')).toEqual([])
  })

  test('the minimum of the interval is a setting', async () => {
    await using home = await testApp(engine, { EARSHOT_MIN_INTERVAL_SECONDS: '5' })

    await create(home, { intervalSeconds: 5 })

    await expect(create(home, { intervalSeconds: 4 })).rejects.toThrow(AppError)
    expect(await rowsIn(home.app.db, 'watcher')).toMatchObject([{ interval_seconds: 5 }])
  })
})

function create({ app, owner }: TestApp, wanted: WantedWatcher) {
  return createWatcher(contextOf(app), owner.organizationId, aWatcher(wanted))
}

function mistakesIn(wanted: object): { path: string; message: string }[] {
  const parsed = NewWatcher.safeParse({ name: 'A watcher', channels: [FORUM], ...wanted })
  return (parsed.error?.issues ?? []).map(({ path, message }) => ({
    path: path.join('.'),
    message,
  }))
}
