import { describe, expect, test } from 'vitest'
import { openForum } from '#src/sources/forum/forum.ts'
import type { Source } from '#src/sources/source.ts'
import type { Client } from '#src/sources/http/client.ts'
import { describeSource } from './support/conformance.ts'
import { FIRST_SECONDS } from './support/forum-platform.ts'
import { scriptedServer, type Reply } from './support/scripted-server.ts'
import { testClient } from './support/test-client.ts'

const { signal } = new AbortController()
const terms = { channel: 'testing', cursor: null, fromStart: false, signal }

function openFeed(url: string, client: Client): Source {
  return openForum({ apiUrl: url, webUrl: `${url}/web/`, credentials: null }, client)
}

function escape(text: unknown): string {
  return String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

const date = (number: number) => new Date((FIRST_SECONDS + number) * 1_000).toISOString()

function anEntry(number: number): Record<string, unknown> {
  const id = number.toString(36).padStart(4, '0')
  return {
    id: `t3_${id}`,
    title: `Post ${number}`,
    published: date(number),
    updated: date(number),
    content:
      '<!-- SC_OFF --><div class="md"><p>A &lt;text&gt;</p> </div><!-- SC_ON -->' +
      ' &#32; submitted by &#32; <a href="https://forum.invalid/user/somebody"> /u/somebody </a>' +
      ' <br/> <span><a href="https://example.com/a?b=1&amp;c=2">[link]</a></span>' +
      ` &#32; <span><a href="/r/Testing/comments/${id}/post/">[comments]</a></span>`,
  }
}

function feedOf(entries: Record<string, unknown>[], headers: Record<string, string> = {}): Reply {
  const items = entries.map((entry) => {
    const fields = Object.entries(entry).map(
      ([name, value]) => `<${name}>${escape(value)}</${name}>`,
    )
    const author = '<author><name>/u/somebody</name><uri>https://x.invalid</uri></author>'
    const rest = `${author}<category term="Testing" label="r/Testing"/><link href="/r/Testing/comments/x/"/>`
    return `<entry>${rest}${fields.join('')}</entry>`
  })
  const body = `<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom"><id>/r/testing</id><title>of the feed</title>${items.join('')}</feed>`
  return { headers: { 'content-type': 'application/atom+xml; charset=UTF-8', ...headers }, body }
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => anEntry(to - index))

describeSource({
  name: 'the forum through its feeds',
  channel: 'testing',
  open: openFeed,
  fields: Object.keys(anEntry(1)),
  isForPosts: () => true,
  platform(change = () => {}) {
    const entries = numbers(1, 4)
    for (const entry of entries) change(entry)
    return () => feedOf(entries)
  },
})

test('a post is what its entry says, without what the platform puts around it', async () => {
  await using server = await scriptedServer(() => feedOf([anEntry(7)]))
  await using client = testClient()

  const { posts } = await openFeed(server.url, client).fetchNew(terms)

  expect(server.asked[0]?.path).toBe('/web/r/testing/new/.rss')
  expect(server.asked[0]?.query.get('limit')).toBe('100')
  expect(posts).toEqual([
    {
      platform: 'forum',
      forumId: '0007',
      subforum: 'Testing',
      title: 'Post 7',
      body: 'A <text>',
      permalink: `${server.url}/r/Testing/comments/x/`,
      url: 'https://example.com/a?b=1&c=2',
      score: null,
      numComments: null,
      createdAt: (FIRST_SECONDS + 7) * 1_000,
      author: 'somebody',
    },
  ])
})

test('a feed that has not changed has no posts and leaves the cursor as it is', async () => {
  await using server = await scriptedServer(({ headers }) =>
    headers['if-none-match'] === '"1"' ? { status: 304 } : feedOf(numbers(1, 2), { etag: '"1"' }),
  )
  await using client = testClient()
  const source = openFeed(server.url, client)

  const first = await source.fetchNew(terms)
  const second = await source.fetchNew({ ...terms, cursor: first.cursor })
  const anew = await source.fetchNew({ ...terms, cursor: first.cursor, fromStart: true })

  expect(second).toEqual({ posts: [], cursor: first.cursor, gaps: [], isPartial: false })
  expect(anew.posts).toHaveLength(2)
})

describe('a gap', () => {
  async function gapsAfter(entries: Record<string, unknown>[]) {
    const feeds = [numbers(1, 30), entries]
    await using server = await scriptedServer(() => feedOf(feeds.shift() ?? []))
    await using client = testClient()
    const source = openFeed(server.url, client)
    const { cursor } = await source.fetchNew(terms)
    return await source.fetchNew({ ...terms, cursor })
  }

  test('is a full feed in which nothing is known', async () => {
    const { posts, gaps } = await gapsAfter(numbers(101, 200))

    expect(posts).toHaveLength(100)
    expect(gaps).toEqual([
      {
        fromAt: (FIRST_SECONDS + 30) * 1_000,
        toAt: (FIRST_SECONDS + 101) * 1_000,
        reason: 'More was posted than the forum’s feed holds.',
      },
    ])
  })

  test.each([
    { what: 'one that overlaps', entries: numbers(30, 129), posts: 99 },
    { what: 'one that is not full', entries: numbers(101, 110), posts: 10 },
    { what: 'an empty one', entries: [], posts: 0 },
  ])('is not $what', async ({ entries, posts: count }) => {
    const { posts, gaps } = await gapsAfter(entries)

    expect(posts).toHaveLength(count)
    expect(gaps).toEqual([])
  })
})

test('a feed can tell neither what became of a post nor what is older than it holds', async () => {
  await using server = await scriptedServer(() => feedOf(numbers(1, 30)))
  await using client = testClient()
  const source = openFeed(server.url, client)
  const sinceAt = (FIRST_SECONDS - 100) * 1_000

  const states = await source.lookAgain(['0001'], signal)
  const portions = await Array.fromAsync(source.backfill({ channel: 'testing', sinceAt, signal }))

  expect(states).toEqual([])
  expect(portions).toHaveLength(1)
  expect(portions[0]?.posts).toHaveLength(30)
  expect(portions[0]?.gaps).toEqual([
    { fromAt: sinceAt, toAt: (FIRST_SECONDS + 1) * 1_000, reason: expect.any(String) },
  ])
})
