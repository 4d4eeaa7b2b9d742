import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Client } from '#src/sources/http/client.ts'
import { openForum } from '#src/sources/forum/forum.ts'
import type { Source } from '#src/sources/source.ts'
import { describeSource } from './support/conformance.ts'
import { aPost, ForumPlatform } from './support/forum-platform.ts'
import { json, scriptedServer } from './support/scripted-server.ts'
import { testClient } from './support/test-client.ts'

const FIXTURES = join(import.meta.dirname, '../../../shared/data/fixtures/forum')
const { signal } = new AbortController()

function openApi(url: string, client: Client): Source {
  const credentials = { id: 'id', secret: 'secret' }
  return openForum({ apiUrl: `${url}/api/`, webUrl: `${url}/web`, credentials }, client)
}

describeSource({
  name: 'the forum through its API',
  channel: 'testing',
  open: openApi,
  fields: Object.keys(aPost(1)),
  isForPosts: ({ path }) => path === '/api/r/testing/new',
  platform(change = () => {}) {
    const platform = new ForumPlatform()
    platform.add(4)
    for (const post of platform.posts) change(post)
    return platform.script
  },
})

describe('what is made of a post', () => {
  async function postsOf(...children: unknown[]) {
    await using server = await scriptedServer(({ path }) =>
      path.endsWith('access_token')
        ? json({ access_token: 'token', expires_in: 3_600 })
        : json({ kind: 'Listing', data: { after: null, children } }),
    )
    await using client = testClient()
    const terms = { channel: 'testing', cursor: null, fromStart: false, signal }
    const { posts } = await openApi(server.url, client).fetchNew(terms)
    return posts.map((post) => ({ ...post, permalink: post.permalink.replace(server.url, '') }))
  }
  const t3 = (fields: Record<string, unknown>) => ({ kind: 't3', data: aPost(7, fields) })

  test('all of it', async () => {
    expect(await postsOf(t3({}))).toEqual([
      {
        platform: 'forum',
        forumId: '0007',
        subforum: 'Testing',
        title: 'Post 7',
        body: 'A text.',
        permalink: '/r/Testing/comments/0007/post/',
        url: 'https://example.com/0007',
        score: 7,
        numComments: 1,
        createdAt: 1_700_000_007_000,
        author: 'somebody',
      },
    ])
  })

  test.each([
    { what: 'another kind', child: { kind: 't1', data: aPost(7) } },
    { what: 'no id', child: t3({ id: undefined }) },
    { what: 'no title', child: t3({ title: ' \u0000 ' }) },
    { what: 'no date', child: t3({ created_utc: null, created: 1_700_000_000 }) },
    { what: 'removed by the platform', child: t3({ removed_by_category: 'moderator' }) },
    { what: 'removed', child: t3({ author: '[deleted]', selftext: '[removed]' }) },
    { what: 'deleted', child: t3({ author: null, selftext: '[deleted]' }) },
    { what: 'no object', child: 'odd' },
  ])('nothing when it is $what, and the next one all the same', async ({ child }) => {
    const next = { kind: 't3', data: aPost(8) }

    const posts = await postsOf(child, next)

    expect(posts.map(({ forumId }) => forumId)).toEqual(['0008'])
  })

  test.each([
    { fields: { author: null }, expected: { author: '[deleted]' } },
    { fields: { score: undefined }, expected: { score: null } },
    { fields: { num_comments: '3' }, expected: { numComments: null } },
    { fields: { subreddit: undefined }, expected: { subforum: 'testing' } },
    { fields: { is_self: true }, expected: { url: null } },
    { fields: { url: 'javascript:alert(1)' }, expected: { url: null } },
    {
      fields: { is_self: undefined, url: 'https://other.invalid/r/Testing/comments/0007/post/' },
      expected: { url: null },
    },
    { fields: { permalink: '//elsewhere.invalid/x' }, expected: { permalink: '/comments/0007' } },
    { fields: { permalink: undefined }, expected: { permalink: '/comments/0007' } },
  ])('$fields becomes $expected', async ({ fields, expected }) => {
    expect(await postsOf(t3(fields))).toMatchObject([expected])
  })
})

describe('words for what is wrong', () => {
  test.each([
    {
      reply: { status: 404 },
      message: 'There is no forum channel r/testing, or it is gone.',
    },
    {
      reply: { status: 302, headers: { location: '/subreddits/search?q=testing' } },
      message: 'There is no forum channel r/testing, or it is gone.',
    },
    {
      reply: { status: 403 },
      message: 'The forum does not let us read r/testing: it is private, quarantined or banned.',
    },
  ])('$message', async ({ reply, message }) => {
    const platform = new ForumPlatform()
    await using server = await scriptedServer((asked) =>
      asked.path.includes('/r/') ? reply : platform.script(asked),
    )
    await using client = testClient()
    const terms = { channel: 'testing', cursor: null, fromStart: false, signal }

    await expect(openApi(server.url, client).fetchNew(terms)).rejects.toThrow(message)
  })
})

describe('the token', () => {
  test('is had once for all who ask, with our credentials, and used until it ends', async () => {
    let now = 1_000_000
    const platform = new ForumPlatform()
    await using server = await scriptedServer(platform.script)
    await using client = testClient()
    const settings = { apiUrl: server.url, webUrl: server.url }
    const credentials = { id: 'me', secret: 'hush' }
    const source = openForum({ ...settings, credentials }, client, () => now)
    const terms = { channel: 'testing', cursor: null, fromStart: false, signal }

    await Promise.all([source.fetchNew(terms), source.fetchNew(terms), source.fetchNew(terms)])
    now += 3_500_000
    await source.fetchNew(terms)
    now += 50_000
    await source.fetchNew(terms)

    expect(platform.tokensGiven).toBe(2)
    expect(server.asked[0]).toMatchObject({
      method: 'POST',
      body: 'grant_type=client_credentials',
      headers: { authorization: `Basic ${btoa('me:hush')}` },
    })
  })

  test('is renewed once when the platform no longer accepts it', async () => {
    const platform = new ForumPlatform()
    platform.add(1)
    await using server = await scriptedServer(platform.script)
    await using client = testClient()
    const source = openApi(server.url, client)
    const terms = { channel: 'testing', cursor: null, fromStart: false, signal }

    await source.fetchNew(terms)
    platform.validToken = 'another'
    const { posts } = await source.fetchNew(terms)

    expect(posts).toHaveLength(1)
    expect(platform.tokensGiven).toBe(2)
  })

  test('that is refused names the credentials, and does not repeat them', async () => {
    await using server = await scriptedServer(() => ({ status: 401 }))
    await using client = testClient()
    const terms = { channel: 'testing', cursor: null, fromStart: false, signal }

    await expect(openApi(server.url, client).fetchNew(terms)).rejects.toMatchObject({
      failure: 'unauthorized',
      message: 'The forum does not accept the client id and secret it was given.',
    })
  })

  test('one who stops waiting for it does not take it from the others', async () => {
    const platform = new ForumPlatform()
    const controller = new AbortController()
    await using server = await scriptedServer((asked) => {
      if (asked.path.endsWith('access_token')) controller.abort(new Error('enough'))
      return platform.script(asked)
    })
    await using client = testClient()
    const source = openApi(server.url, client)
    const terms = { channel: 'testing', cursor: null, fromStart: false }

    const impatient = source.fetchNew({ ...terms, signal: controller.signal })
    const patient = source.fetchNew({ ...terms, signal })

    await expect(impatient).rejects.toThrow('enough')
    await expect(patient).resolves.toMatchObject({ posts: [] })
  })
})

describe('looking again', () => {
  test('tells the new score, what was removed, and nothing of what it was not told', async () => {
    const platform = new ForumPlatform()
    const [there = '', gone = ''] = platform.add(2)
    platform.posts = platform.posts.map((post) =>
      post.id === gone ? { ...post, removed_by_category: 'deleted' } : { ...post, score: 99 },
    )
    await using server = await scriptedServer(platform.script)
    await using client = testClient()

    const states = await openApi(server.url, client).lookAgain([there, gone, 'zzzz'], signal)

    expect(states).toHaveLength(2)
    expect(states).toContainEqual({ kind: 'removed', forumId: gone })
    expect(states).toContainEqual({
      kind: 'there',
      post: expect.objectContaining({ forumId: there, score: 99 }),
    })
  })

  test('asks for a hundred at a time', async () => {
    const platform = new ForumPlatform()
    const ids = platform.add(250)
    await using server = await scriptedServer(platform.script)
    await using client = testClient()

    const states = await openApi(server.url, client).lookAgain(ids, signal)

    expect(states).toHaveLength(250)
    expect(server.paths.filter((path) => path === '/api/api/info')).toHaveLength(3)
  })
})

interface Recorded {
  name: string
  /** Of the recorded answer: some hold several listings. */
  listings: { data: { after: unknown; children: { kind: string; data: RawRecorded }[] } }[]
}

interface RawRecorded {
  id: string
  author?: unknown
  selftext?: unknown
  removed_by_category?: unknown
}

function recorded(file: string): Recorded {
  const value = JSON.parse(readFileSync(file, 'utf8'))
  const body = value.request === undefined ? unescaped(value) : value.body
  const parsed = typeof body === 'string' ? JSON.parse(body) : body
  return { name: basename(file), listings: Array.isArray(parsed) ? parsed : [parsed] }
}

/** What was recorded without `raw_json=1` is escaped for HTML; we always ask for it. */
function unescaped(value: unknown): unknown {
  const text = JSON.stringify(value)
  return JSON.parse(text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'))
}

const files = globSync('*.json', { cwd: FIXTURES }).map((file) => join(FIXTURES, file))

describe.skipIf(files.length === 0)('recorded answers (skipped without ../shared/data)', () => {
  test.each(files.map((file) => [basename(file), file]))('%s loses no post', async (_, file) => {
    for (const { data } of recorded(file).listings) {
      const children = data.children.filter(({ kind }) => kind === 't3')
      const kept = children.filter((child) => !isRemoved(child.data))
      const ids = new Set(kept.map((child) => child.data.id)) // a recorded page may repeat one
      await using server = await scriptedServer(({ path }) =>
        path.endsWith('access_token')
          ? json({ access_token: 'token', expires_in: 3_600 })
          : json({ kind: 'Listing', data: { ...data, after: null } }),
      )
      await using client = testClient()
      const terms = { channel: 'testing', cursor: null, fromStart: false, signal }

      const { posts, cursor } = await openApi(server.url, client).fetchNew(terms)

      expect(new Set(posts.map(({ forumId }) => forumId))).toEqual(ids)
      expect(posts).toHaveLength(ids.size)
      expect(posts.filter(({ body }) => /(?![\t\n])\p{Cc}/u.test(body))).toEqual([])
      expect(cursor.length).toBeLessThan(5_000)
    }
  })
})

function isRemoved({ author, selftext, removed_by_category: removedBy }: RawRecorded): boolean {
  if (removedBy !== null && removedBy !== undefined) return true
  return author === '[deleted]' && (selftext === '[removed]' || selftext === '[deleted]')
}
