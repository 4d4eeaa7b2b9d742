import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { CrawlRun } from '#src/contract/crawl-run.ts'
import { expectRefusal } from '#test/support/expect-refusal.ts'
import { foundedPlace, storedIn, type FoundedPlace } from '#test/support/founded-place.ts'
import { ENGINES } from '#test/support/place.ts'
import { aPostLine, fileIn, ndjson } from '#test/support/post-lines.ts'
import { earshot, earshotJson, startService } from '#test/support/program.ts'
import { watchingPlace } from '#test/support/watching-place.ts'
import { storeWatcher, writtenWatcher } from '#test/support/written-watcher.ts'

const NEWSBOARD_NEW = { platform: 'newsboard', subforum: 'new' } as const
const SELFHOSTED = { platform: 'forum', subforum: 'SelfHosted' } as const
const NGINX = { any: ['nginx'], tags: ['proxy'] }
const CADDY = { any: ['caddy'], tags: ['proxy'] }

/** A service takes what is new within seconds; the rest is for a busy machine. */
const WITHIN = { timeout: 30_000, interval: 50 }

describe.concurrent.each(ENGINES)('earshot watchers on %s', (engine) => {
  test('create makes watchers of a file or of standard input; list and show tell of them', async () => {
    await using place = await foundedPlace(engine)
    const written = writtenWatcher({
      channels: [NEWSBOARD_NEW, SELFHOSTED],
      rules: [{ ...NGINX, all: ['tls'], none: ['jobs'], kind: 'word', minScore: 5 }],
      brief: 'People who run servers',
      intervalSeconds: 600,
    })
    const file = await fileIn(place, 'watcher.json', JSON.stringify(written))

    const args = ['watchers', 'create', '--org', place.organizationId, '--file', file]
    const first = await earshotJson<{ id: string }>(place, args)
    const second = await create(place, { name: 'Anything', channels: [NEWSBOARD_NEW] })
    const { items } = await list(place)
    const shown = await earshotJson(place, ['watchers', 'show', first.id])

    expect(first).toEqual({ id: expect.stringMatching(/^wat_\w{26}$/) })
    expect(items).toHaveLength(2)
    const filledIn = { rules: [], brief: null, intervalSeconds: 300, enabled: true }
    expect(items).toContainEqual(
      expect.objectContaining({ ...second, name: 'Anything', ...filledIn }),
    )
    const unread = { fetchedAt: null, failures: 0, failingSince: null, lastError: null, gaps: [] }
    expect(shown).toMatchObject({
      ...written,
      ...first,
      channels: expect.arrayContaining([NEWSBOARD_NEW, SELFHOSTED]),
      enabled: true,
      health: [unread, unread],
    })
  })

  test('a paused watcher is not run until it is resumed; a deleted one leaves its runs', async () => {
    await using place = await watchingPlace(engine, { channels: ['selfhosted'] })
    const id = await storeWatcher(place)

    const paused = await earshotJson(place, ['watchers', 'pause', id])
    const refused = await earshot(place, ['watchers', 'run', id, '--json'])
    const resumed = await earshotJson(place, ['watchers', 'resume', id])
    const { items: runs } = await run(place, id)
    const deleted = await earshotJson(place, ['watchers', 'delete', id])

    expect(paused).toEqual({ id, enabled: false })
    expectRefusal(refused, /^earshot: The watcher is paused\. Resume it first\.$/m)
    expect(resumed).toEqual({ id, enabled: true })
    expect(runs).toMatchObject([{ watcherId: id, status: 'ok' }])
    expect(deleted).toEqual({ id, deleted: true })
    expect(await idsIn(place, 'watcher')).toEqual([])
    expect(await idsIn(place, 'crawl_run')).toEqual(runs.map((one) => one.id))
  })

  test('update tells with --preview what it would change, and only then changes it', async () => {
    await using place = await foundedPlace(engine)
    const id = await storeWatcher(place, { rules: [NGINX] })
    await importPosts(place, {
      nginx: '2026-01-01',
      caddy: '2026-01-01',
      'caddy again': '2026-01-02',
      'nginx or caddy': '2026-01-02',
    })
    const input = JSON.stringify(writtenWatcher({ name: 'Caddy', rules: [CADDY] }))
    const update = ['watchers', 'update', id, '--file', '-', '--json']

    const preview = await earshot(place, [...update, '--preview'], { input })
    const matched = await titlesIn(place, { matched: 1 })
    const changed = await earshot(place, update, { input })

    expect(JSON.parse(preview.stdout)).toEqual({
      examined: 4,
      add: 2,
      drop: 1,
      keep: 1,
      days: [
        { day: '2026-01-02', add: 1, drop: 0 },
        { day: '2026-01-01', add: 1, drop: 1 },
      ],
    })
    expect(matched).toEqual(['nginx', 'nginx or caddy'])
    expect(JSON.parse(changed.stdout)).toEqual({ id })
    expect((await list(place)).items).toMatchObject([{ id, name: 'Caddy', rules: [CADDY] }])
  })

  test('run fetches now, without a service, and prints a run for each channel', async () => {
    await using place = await watchingPlace(engine, {
      posts: [
        { ...SELFHOSTED, title: 'nginx or not' },
        { ...SELFHOSTED, title: 'Something else' },
        { ...NEWSBOARD_NEW, title: 'A story' },
      ],
    })
    const id = await storeWatcher(place, { channels: [SELFHOSTED, NEWSBOARD_NEW], rules: [NGINX] })

    const first = await run(place, id)
    place.simulation.add({ ...NEWSBOARD_NEW, title: 'nginx is new' })
    const second = await run(place, id)

    for (const one of first.items) expect(CrawlRun.parse(one)).toEqual(one)
    expect(byPlatform(first.items)).toMatchObject([
      { platform: 'forum', postsFetched: 2, newPosts: 2, matched: 1, tagged: 1, status: 'ok' },
      { platform: 'newsboard', postsFetched: 1, newPosts: 1, matched: 0, tagged: 0, error: null },
    ])
    expect(byPlatform(second.items)).toMatchObject([
      { platform: 'forum', newPosts: 0 },
      { platform: 'newsboard', newPosts: 1, matched: 1, tagged: 1 },
    ])
    expect(await titlesIn(place)).toEqual([
      'A story',
      'Something else',
      'nginx is new',
      'nginx or not',
    ])
    expect(await idsIn(place, 'event')).toHaveLength(4)
  })

  test('beside a running service a new watcher starts, runs now, and changes', async () => {
    await using place = await watchingPlace(engine, {
      posts: [{ ...SELFHOSTED, title: 'nginx or caddy' }],
    })
    await using _service = await startService(place)

    const { id } = await create(place, writtenWatcher({ rules: [NGINX] }))
    await vi.waitFor(async () => expect(await titlesIn(place)).toHaveLength(1), WITHIN)
    place.simulation.add({ ...SELFHOSTED, title: 'caddy it is' })
    const { items } = await run(place, id)
    const input = JSON.stringify(writtenWatcher({ rules: [CADDY] }))
    await earshot(place, ['watchers', 'update', id, '--file', '-'], { input })

    expect(items).toMatchObject([{ watcherId: id, newPosts: 1, matched: 0, status: 'ok' }])
    await vi.waitFor(async () => {
      expect(await titlesIn(place, { matched: 1 })).toEqual(['caddy it is', 'nginx or caddy'])
    }, WITHIN)
    expect(await titlesIn(place)).toHaveLength(2)
    const runs = await idsIn(place, 'crawl_run')
    expect(await idsIn(place, 'event')).toHaveLength(runs.length)
  })
})

describe.concurrent('earshot watchers, in words,', () => {
  test('says what to do where there are none', async () => {
    await using place = await foundedPlace('sqlite')

    const { code, stdout } = await earshot(place, ['watchers', 'list'])

    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^There are no watchers\..*`earshot watchers create --file/),
    })
  })

  test('tells of what there is', async () => {
    await using place = await watchingPlace('sqlite', { channels: ['SelfHosted'] })
    const written = { channels: [SELFHOSTED], rules: [NGINX], brief: 'Who runs servers' }

    const created = await tell(place, ['create', '--file', '-'], writtenWatcher(written))
    const id = /wat_\w{26}/.exec(created)?.[0] ?? ''
    const listed = await tell(place, ['list'])
    const runs = await tell(place, ['run', id])
    const shown = await tell(place, ['show', id])

    expect(created).toBe(`Servers is ${id}.\n`)
    expect(listed).toMatch(
      new RegExp(`^ID .*STATE\n${id} +Servers +forum/SelfHosted +1 +300 s +watching\n$`),
    )
    expect(runs).toMatch(/^STARTED .*MS\n\S+Z +Servers +forum\/SelfHosted +ok +0 /)
    expect(shown).toContain(`Servers (${id}), every 300 s\nWho runs servers\n`)
    expect(shown).toMatch(/^forum\/SelfHosted: read \d{4}-.*Z$/m)
    expect(shown).toMatch(/^rule 0: .*"any":\["nginx"\]/m)
  })

  test('tells of what it did', async () => {
    await using place = await foundedPlace('sqlite')
    const id = await storeWatcher(place)
    const update = ['update', id, '--file', '-']

    expect(await tell(place, [...update, '--preview'], writtenWatcher())).toBe(
      'Of 0 records: 0 would be added, 0 dropped, 0 stay.\n',
    )
    expect(await tell(place, update, writtenWatcher())).toBe(`${id} is changed.\n`)
    expect(await tell(place, ['pause', id])).toBe(`${id} is paused.\n`)
    expect(await tell(place, ['resume', id])).toBe(`${id} watches again.\n`)
    expect(await tell(place, ['delete', id])).toBe(`${id} is gone; its records stay.\n`)
  })

  test('tells why a channel cannot be read, and since when', async () => {
    await using place = await watchingPlace('sqlite')
    const id = await storeWatcher(place, { channels: [{ platform: 'forum', subforum: 'nowhere' }] })

    const { items } = await run(place, id)
    const shown = await tell(place, ['show', id])

    expect(items).toMatchObject([{ status: 'error', postsFetched: 0, subforum: 'nowhere' }])
    expect(items[0]?.error).toMatch(/\w+ \w+/)
    expect(shown).toMatch(/^forum\/nowhere: failing since \d{4}-.*Z: /m)
    expect(shown).toContain(`Z: ${items[0]?.error}\n`)
  })
})

describe.concurrent('earshot watchers refuses', () => {
  let place: FoundedPlace // one for all: none of them changes anything

  beforeAll(async () => {
    place = await foundedPlace('sqlite')
  })
  afterAll(async () => {
    expect(await idsIn(place, 'watcher')).toEqual([])
    await place[Symbol.asyncDispose]()
  })

  const terms = (count: number) => Array.from({ length: count }, (_, index) => `term ${index}`)
  const regexes = [
    { any: ['a('], kind: 'regex' },
    { any: ['a.{0,60}b.{0,60}q'], kind: 'regex' },
  ]

  test.each([
    {
      what: 'an unknown platform, and an unknown channel of a known one',
      written: {
        channels: [
          { platform: 'mastodon', subforum: 'new' },
          { platform: 'newsboard', subforum: 'best' },
        ],
      },
      reasons: [
        'channels.0.platform: must be forum or newsboard',
        'channels.1.subforum: newsboard has the channels new, top, ask, show, job',
      ],
    },
    {
      what: 'an empty rule, and one of too many terms',
      written: { rules: [{}, { any: terms(150), none: terms(51) }] },
      reasons: [
        'rules.0: a rule cannot be empty',
        'rules.1: a rule has too many terms: at most 200',
      ],
    },
    {
      what: 'a regex that is none, one that is too complex, and too short an interval, at once',
      written: { rules: regexes, intervalSeconds: 5 },
      reasons: [
        'rules.0.any.0: “a(” is not a regular expression',
        'rules.1.any.0: “a.{0,60}b.{0,60}q” is too complex',
        'intervalSeconds: must be at least 60 seconds',
      ],
    },
    {
      what: 'every mistake of a file at once',
      written: { name: ' ', channels: [], rules: [{ any: ['x'], kind: 'fuzzy' }], colour: 'red' },
      reasons: ['name: ', 'channels: name at least one', 'rules.0.kind: ', 'the file: '],
    },
  ])('$what', async ({ written, reasons }) => {
    const input = JSON.stringify(writtenWatcher(written))

    const outcome = await earshot(place, ['watchers', 'create', '--file', '-', '--json'], { input })

    expectRefusal(outcome, /^earshot: The watcher .*is not accepted:\n {2}/)
    for (const reason of reasons) expect(outcome.stderr).toContain(`  ${reason}`)
    expect(outcome.stderr.trim().split('\n')).toHaveLength(reasons.length + 1)
  })

  test.each([
    { what: 'a file that is missing', file: 'missing.json', reason: 'missing.json cannot be read' },
    { what: 'what is no JSON', file: '-', input: '{"name', reason: 'standard input is no JSON' },
    { what: 'a list', file: '-', input: '[]', reason: 'expected object' },
    {
      what: 'an unknown organization',
      file: '-',
      input: JSON.stringify(writtenWatcher()),
      org: ['--org', 'org_nowhere'],
      reason: 'There is no organization org_nowhere',
    },
  ])('$what', async ({ file, input = '', org = [], reason }) => {
    const args = ['watchers', 'create', '--file', file, ...org, '--json']

    expectRefusal(await earshot(place, args, { input }), reason)
  })

  test.each(['show', 'pause', 'resume', 'delete', 'run', 'update'])(
    'to %s one that is not there, and says where to look',
    async (command) => {
      const file = command === 'update' ? ['--file', '-'] : []
      const input = JSON.stringify(writtenWatcher())

      const outcome = await earshot(place, ['watchers', command, 'wat_nowhere', ...file], { input })

      expectRefusal(outcome, /^earshot: There is no watcher wat_nowhere .*earshot watchers list/)
    },
  )
})

async function create(place: FoundedPlace, written: object): Promise<{ id: string }> {
  const input = JSON.stringify(written)
  const args = ['watchers', 'create', '--file', '-', '--json']
  return JSON.parse((await earshot(place, args, { input })).stdout)
}

function list(place: FoundedPlace): Promise<{ items: object[] }> {
  return earshotJson(place, ['watchers', 'list'])
}

function run(place: FoundedPlace, id: string): Promise<{ items: CrawlRun[] }> {
  return earshotJson(place, ['watchers', 'run', id])
}

/** What a command says to people, when all is well. */
async function tell(place: FoundedPlace, args: string[], written?: object): Promise<string> {
  const input = JSON.stringify(written)
  const { code, stdout, stderr } = await earshot(place, ['watchers', ...args], { input })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

/** Posts by their titles, each of a day. */
async function importPosts(place: FoundedPlace, days: Record<string, string>): Promise<void> {
  const posts = Object.entries(days).map(([title, day]) =>
    aPostLine({ forumId: title, title, forumCreatedAt: `${day}T12:00:00Z` }),
  )
  await earshot(place, ['import', '-'], { input: ndjson(posts) })
}

async function titlesIn(place: FoundedPlace, { matched }: { matched?: number } = {}) {
  const rows = await storedIn(place, (db) =>
    db.selectFrom('record').select(['title', 'matched']).orderBy('title').execute(),
  )
  const wanted = rows.filter((row) => matched === undefined || row.matched === matched)
  return wanted.map(({ title }) => title).sort()
}

async function idsIn(place: FoundedPlace, table: 'watcher' | 'crawl_run' | 'event') {
  const rows = await storedIn(place, (db) => db.selectFrom(table).select('id').execute())
  return rows.map(({ id }) => id)
}

function byPlatform(runs: readonly CrawlRun[]): CrawlRun[] {
  return runs.toSorted((one, other) => (one.platform < other.platform ? -1 : 1))
}
