import { describe, expect, test } from 'vitest'
import { openForum } from '#src/sources/forum/forum.ts'
import type { Fetched } from '#src/sources/source.ts'
import { FIRST_SECONDS, ForumPlatform } from './support/forum-platform.ts'
import { scriptedServer, type ScriptedServer } from './support/scripted-server.ts'
import { testClient } from './support/test-client.ts'

const { signal } = new AbortController()

/** A platform, and a source that remembers where it was. */
async function aChannel() {
  const platform = new ForumPlatform()
  const server = await scriptedServer(platform.script)
  const client = testClient()
  const credentials = { id: 'id', secret: 'secret' }
  const source = openForum({ apiUrl: server.url, webUrl: server.url, credentials }, client)
  let cursor: string | null = null
  return {
    platform,
    server,
    source,
    async fetch(fromStart = false): Promise<Fetched> {
      const fetched = await source.fetchNew({ channel: 'testing', cursor, fromStart, signal })
      cursor = fetched.cursor
      return fetched
    },
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

function idsOf({ posts }: Fetched): string[] {
  return posts.map(({ forumId }) => forumId).toSorted()
}

function asksOf(server: ScriptedServer): string[] {
  const listings = server.asked.filter(({ path }) => path === '/r/testing/new')
  return listings.map(({ query }) => {
    expect([query.get('limit'), query.get('raw_json')]).toEqual(['100', '1'])
    if (query.has('before')) return `before ${query.get('before')}`
    return query.has('after') ? `after ${query.get('after')}` : 'top'
  })
}

const at = (number: number) => (FIRST_SECONDS + number) * 1_000

describe('the first time', () => {
  test('the listing is read as far as it goes, and what it lacks is no gap', async () => {
    await using channel = await aChannel()
    channel.platform.add(1_200)

    const fetched = await channel.fetch()

    expect(fetched.posts).toHaveLength(1_000)
    expect(fetched.gaps).toEqual([])
    expect(asksOf(channel.server)).toHaveLength(10)
  })

  test('an empty channel has nothing, and its first post is found', async () => {
    await using channel = await aChannel()

    const empty = await channel.fetch()
    const ids = channel.platform.add(1)
    const first = await channel.fetch()

    expect(empty).toMatchObject({ posts: [], gaps: [] })
    expect(idsOf(first)).toEqual(ids)
  })
})

describe('from a cursor', () => {
  test('only what is new is asked for, once', async () => {
    await using channel = await aChannel()
    const [newest] = channel.platform.add(1)
    await channel.fetch()
    const ids = channel.platform.add(3)
    channel.server.asked.length = 0

    const fetched = await channel.fetch()

    expect(idsOf(fetched)).toEqual(ids)
    expect(asksOf(channel.server)).toEqual([`before t3_${newest}`])
  })

  test.each([
    { before: 'nearest', count: 99 },
    { before: 'nearest', count: 100 },
    { before: 'nearest', count: 101 },
    { before: 'nearest', count: 450 },
    { before: 'newest', count: 99 },
    { before: 'newest', count: 100 },
    { before: 'newest', count: 101 },
    { before: 'newest', count: 450 },
  ] as const)('none of $count new ones is lost when `before` means the $before', async (given) => {
    await using channel = await aChannel()
    channel.platform.before = given.before
    channel.platform.add(150)
    await channel.fetch()
    const ids = channel.platform.add(given.count)

    const fetched = await channel.fetch()
    const again = await channel.fetch()

    expect(idsOf(fetched)).toEqual(ids)
    expect(fetched.gaps).toEqual([])
    expect(again.posts).toEqual([])
  })

  test('what the listing no longer reaches is a gap, from the newest known on', async () => {
    await using channel = await aChannel()
    channel.platform.before = 'newest'
    channel.platform.add(10)
    await channel.fetch()
    channel.platform.add(1_500)

    // The newest known post is out of the listing, so the platform answers `before` with nothing.
    await channel.fetch()
    await channel.fetch()
    const fetched = await channel.fetch()

    expect(fetched.posts).toHaveLength(1_000)
    expect(fetched.gaps).toEqual([
      { fromAt: at(10), toAt: at(511), reason: expect.stringContaining('listing ended') },
    ])
  })

  test('posts of the newest known second that came later are found', async () => {
    await using channel = await aChannel()
    const createdAt = { created_utc: FIRST_SECONDS }
    channel.platform.add(2, createdAt)
    await channel.fetch()
    const ids = channel.platform.add(2, createdAt)

    expect(idsOf(await channel.fetch())).toEqual(ids)
  })

  test('a removed post is none, but a place to go on from', async () => {
    await using channel = await aChannel()
    channel.platform.add(1)
    await channel.fetch()
    const [removed] = channel.platform.add(1, { removed_by_category: 'moderator' })
    channel.server.asked.length = 0

    const fetched = await channel.fetch()
    await channel.fetch()

    expect(fetched.posts).toEqual([])
    expect(asksOf(channel.server).at(-1)).toBe(`before t3_${removed}`)
  })
})

describe('when the newest known post was deleted', () => {
  test('at the third empty answer the top is looked at, and nothing is lost', async () => {
    await using channel = await aChannel()
    const [, , deleted = ''] = channel.platform.add(3)
    await channel.fetch()
    channel.platform.delete(deleted)
    const ids = channel.platform.add(5)

    const first = await channel.fetch()
    const second = await channel.fetch()
    const third = await channel.fetch()

    expect([first.posts, second.posts]).toEqual([[], []])
    expect(idsOf(third)).toEqual(ids)
    expect(third.gaps).toEqual([])
  })

  test('the next one is asked from a post that is there', async () => {
    await using channel = await aChannel()
    const [, alive, deleted = ''] = channel.platform.add(3)
    await channel.fetch()
    channel.platform.delete(deleted)
    for (let count = 0; count < 3; count += 1) await channel.fetch()
    channel.server.asked.length = 0
    const ids = channel.platform.add(1)

    const fetched = await channel.fetch()

    expect(asksOf(channel.server)).toEqual([`before t3_${alive}`])
    expect(idsOf(fetched)).toEqual(ids)
  })

  test('a quiet channel is looked at from the top only every third time', async () => {
    await using channel = await aChannel()
    const [newest] = channel.platform.add(1)
    await channel.fetch()
    channel.server.asked.length = 0

    for (let count = 0; count < 6; count += 1) await channel.fetch()

    const before = `before t3_${newest}`
    const round = [before, before, before, 'top']
    expect(asksOf(channel.server)).toEqual(round.concat(round))
  })
})

describe('from the start', () => {
  test('all of the listing is read again, and what was known is remembered', async () => {
    await using channel = await aChannel()
    channel.platform.add(250)
    await channel.fetch()
    channel.platform.add(50)

    const fetched = await channel.fetch(true)
    const next = await channel.fetch()

    expect(fetched.posts).toHaveLength(300)
    expect(fetched.gaps).toEqual([])
    expect(next.posts).toEqual([])
  })
})

test('when a page fails, nothing is fetched and nothing is lost', async () => {
  await using channel = await aChannel()
  const ids = channel.platform.add(250)
  let requests = 0
  channel.server.script = (asked) =>
    asked.query.has('after') && (requests += 1) <= 3
      ? { status: 500 }
      : channel.platform.script(asked)

  await expect(channel.fetch()).rejects.toMatchObject({ failure: 'unreachable' })

  expect(idsOf(await channel.fetch())).toEqual(ids)
})

describe('backfill', () => {
  test('goes down to the time it was given, and no further', async () => {
    await using channel = await aChannel()
    channel.platform.add(450)
    const terms = { channel: 'testing', sinceAt: at(200), signal }

    const portions = await Array.fromAsync(channel.source.backfill(terms))

    expect(portions.flatMap(({ posts }) => posts)).toHaveLength(251)
    expect(portions.flatMap(({ gaps }) => gaps)).toEqual([])
    expect(asksOf(channel.server)).toHaveLength(3)
  })

  test('says from when on it could not be had', async () => {
    await using channel = await aChannel()
    channel.platform.add(1_100)
    const terms = { channel: 'testing', sinceAt: at(-1_000), signal }

    const portions = await Array.fromAsync(channel.source.backfill(terms))

    expect(portions.flatMap(({ posts }) => posts)).toHaveLength(1_000)
    expect(portions.flatMap(({ gaps }) => gaps)).toEqual([
      { fromAt: at(-1_000), toAt: at(101), reason: 'The forum’s listing goes no further back.' },
    ])
  })
})
