import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { importPosts } from '#src/ingest/import-posts.ts'
import { hours } from '#src/lib/duration.ts'
import { organizationMatches } from '#src/jobs/organization-matches.ts'
import { refreshPosts } from '#src/jobs/refresh-posts.ts'
import { pauseWatcher, resumeWatcher } from '#src/watchers/pause-watcher.ts'
import { ENGINES } from '#test/support/place.ts'
import {
  publish,
  recordsIn,
  round,
  roundFromStart,
  runsIn,
  watch,
  watchingApp,
  type WatchingApp,
} from '#test/support/watching.ts'

const ODD = 'a\u0000b\u001fc\ud800d\udc00e'
const ODD_STORED = 'abc\ufffdd\ufffde'

const NEW = { platform: 'newsboard' as const, channel: 'new' }

const LINE = {
  platform: 'forum',
  forumId: 'p1',
  subforum: 'selfhosted',
  title: 'A post',
  permalink: 'https://example.com/p1',
  forumCreatedAt: '2026-03-01T12:00:00Z',
}

describe.concurrent.each(ENGINES)('odd text on %s', (engine) => {
  test('NUL, the border character and lone surrogates in a crawled post are stored as clean text', async () => {
    await using home = await watchingApp(engine)
    publish(home, { title: ODD, body: ODD, author: ODD })
    const key = await watch(home)

    await round(home)
    const posts = home.simulation.world.forumChannel('selfhosted')?.posts ?? []
    for (const post of posts) post.score = 9
    await roundFromStart(home, key)

    expect(await recordsIn(home.app.db, home.organizationId)).toMatchObject([
      { title: ODD_STORED, body: ODD_STORED, author: ODD_STORED, score: 9 },
    ])
    expect(await runsIn(home.app.db)).toMatchObject([{ status: 'ok' }, { status: 'ok' }])
  })

  test('the title and the body of a record are parted by one border alone', async () => {
    await using home = await watchingApp(engine)
    publish(home, { title: 'One \u001f Two', body: 'Three \u001f Four É' })
    await watch(home)

    await round(home)

    const [record] = await recordsIn(home.app.db, home.organizationId)
    expect(record?.text.split('\u001f')).toEqual([record?.title.toLowerCase(), 'three  four é'])
  })

  test('odd text in an import is stored as clean text, also when it comes again', async () => {
    await using home = await watchingApp(engine)
    const fields = ['title', 'body', 'author', 'subforum'] as const
    const lines = fields.map((field) => ({ ...LINE, forumId: field, [field]: ODD }))

    const first = await importLines(home, lines)
    const again = await importLines(
      home,
      lines.map((line) => ({ ...line, score: 5 })),
    )

    expect(first).toMatchObject({ imported: 4, updated: 0, rejected: 0 })
    expect(again).toMatchObject({ imported: 0, updated: 4, rejected: 0 })
    const records = await recordsIn(home.app.db, home.organizationId)
    const byId = new Map(records.map((record) => [record.forum_id, record]))
    for (const field of fields) {
      expect(byId.get(field)).toMatchObject({ [field]: ODD_STORED, score: 5 })
    }
  })

  test.each([
    { name: 'a NUL', link: 'https://example.com/a\u0000b' },
    { name: 'a lone surrogate', link: 'https://example.com/a\ud800b' },
  ])('$name in an address ends no import, and is not stored', async ({ link }) => {
    await using home = await watchingApp(engine)
    const lines = [
      { ...LINE, forumId: 'url', url: link },
      { ...LINE, forumId: 'permalink', permalink: link },
      LINE,
    ]

    await importLines(home, lines)
    await importLines(
      home,
      lines.map((line) => ({ ...line, score: 5 })),
    )

    const records = await recordsIn(home.app.db, home.organizationId)
    expect(records.map(({ forum_id }) => forum_id)).toContain('p1')
    for (const { permalink, url } of records) {
      expect(`${permalink}${url}`).not.toMatch(/[\0\ud800]/)
    }
  })

  test('odd characters in the link of a crawled post hold up no later round and no refresh', async () => {
    await using home = await watchingApp(engine)
    const channels = [
      { platform: 'forum' as const, subforum: 'selfhosted' },
      { platform: 'newsboard' as const, subforum: 'new' },
    ]
    for (const place of channels) {
      publish(home, { ...place, title: 'NUL', url: 'https://example.com/a\u0000b' })
      publish(home, { ...place, title: 'half', url: 'https://example.com/a\ud800b' })
    }
    const key = await watch(home, { channels })
    await round(home)
    await round(home, NEW)

    await pauseWatcher(home.app.db, key)
    await resumeWatcher(home.app.db, key, home.app.clock())
    await round(home)
    await round(home, NEW)
    home.advance(hours(1))
    const looked = await refreshPosts.run(home.app, new AbortController().signal)

    expect(looked).toEqual({ looked: 4, removed: 0 })
    expect(await runsIn(home.app.db)).toHaveLength(4)
    const records = await recordsIn(home.app.db, home.organizationId)
    expect(records).toHaveLength(4)
    for (const { url } of records) expect(url).toMatch(/^https:\/\/example\.com\/a[^\0\ud800]+b$/)
  })

  test('a post with a date that no key can tell does not hold up its channel', async () => {
    await using home = await watchingApp(engine)
    const places = [
      { platform: 'forum' as const, subforum: 'selfhosted' },
      { platform: 'newsboard' as const, subforum: 'new' },
    ]
    for (const place of places) {
      publish(home, { ...place, title: 'Sound' })
      publish(home, { ...place, title: 'Unsound', forumCreatedAt: '9998-01-01T00:00:00Z' })
    }
    await watch(home, { channels: places })

    await round(home)
    await round(home, NEW)

    const records = await recordsIn(home.app.db, home.organizationId)
    expect(records.filter(({ title }) => title === 'Sound')).toHaveLength(2)
    expect(records.filter(({ key }) => !Number.isSafeInteger(key))).toEqual([])
    expect(await runsIn(home.app.db)).toMatchObject([{ status: 'ok' }, { status: 'ok' }])
  })
})

function importLines({ app, organizationId }: WatchingApp, lines: readonly object[]) {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  return importPosts(
    {
      database: app.database,
      clock: app.clock,
      match: (posts) => organizationMatches(app, organizationId, posts),
    },
    {
      organizationId,
      source: null,
      bytes: Readable.from([Buffer.from(text)]),
      signal: new AbortController().signal,
      onProgress: () => {},
      onBadLine: () => {},
    },
  )
}
