import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeSource } from './support/conformance.ts'
import {
  aHit,
  backfill,
  fetchNew,
  FIRST_SECONDS,
  idsOf,
  itemPath,
  NewsboardPlatform,
  openAt,
  openPlatform,
  SEARCH_PATH,
  type Raw,
} from './support/newsboard-platform.ts'
import { json } from './support/scripted-server.ts'

const FIXTURES = join(import.meta.dirname, '../../../shared/data/fixtures/newsboard')

describeSource({
  name: 'newsboard',
  channel: 'ask',
  open: openAt,
  fields: ['id', 'type', 'title', 'text', 'url', 'by', 'time', 'score', 'descendants', 'dead'],
  isForPosts: () => true,
  platform(change = () => {}) {
    const platform = new NewsboardPlatform()
    platform.lists['askstories'] = platform.publish(1, 3)
    for (const item of platform.items.values()) change(item)
    return platform.script
  },
})

const recorded = (name: string) => JSON.parse(readFileSync(join(FIXTURES, name), 'utf8'))

describe.skipIf(!existsSync(FIXTURES))('recorded answers (in ../shared/data)', () => {
  test('every recorded story, job and poll becomes a post, and nothing else does', async () => {
    await using platform = await openPlatform()
    const files = globSync('firebase/{story,job,poll,comment,pollopt}_*.json', { cwd: FIXTURES })
    for (const item of files.map(recorded)) platform.items.set(item.id, item)
    platform.lists['newstories'] = [...platform.items.keys()]

    const fetched = await fetchNew(platform.source)

    expect(idsOf(fetched)).toEqual([192_327, 126_809, 121_003, 8_863])
    expect(fetched.posts.find(({ forumId }) => forumId === '8863')).toEqual({
      platform: 'newsboard',
      forumId: '8863',
      subforum: 'new',
      title: 'My YC app: Dropbox - Throw away your USB drive',
      body: '',
      permalink: 'https://news.ycombinator.com/item?id=8863',
      url: 'http://www.getdropbox.com/u/2/screencast.html',
      score: 111,
      numComments: 71,
      createdAt: 1_175_714_200_000,
      author: 'dhouston',
    })
    const job = fetched.posts.find(({ forumId }) => forumId === '192327')
    expect(job).toMatchObject({ url: null, score: 6, numComments: null, author: 'justin' })
    expect(job?.body).toContain('Qualifications')
    expect(job?.body).not.toMatch(/<p>|<pre>|&quot;/)
  })

  test('every recorded front page story is found again by a backfill', async () => {
    await using platform = await openPlatform()
    const { hits } = recorded('algolia_front_page_2020.json') as { hits: Raw[] }
    platform.hits.push(...hits)

    const { posts, gaps } = await backfill(platform.source, 'top', 0)

    expect(idsOf({ posts })).toEqual(
      hits.map(({ objectID }) => Number(objectID)).sort((one, other) => other - one),
    )
    expect(gaps).toEqual([])
    expect(posts.find(({ forumId }) => forumId === '23734093')).toMatchObject({
      subforum: 'top',
      title: 'Websites that look like desktop GUIs',
      url: 'https://simone.computer/#/webdesktops',
      score: 848,
      numComments: 157,
      createdAt: 1_593_888_188_000,
      author: 'fanf2',
    })
  })

  test('of recorded results of all kinds those with a title become posts', async () => {
    await using platform = await openPlatform()
    const replies = (
      recorded('algolia_fraction_fixtures.json') as { reply: { hits?: Raw[] } }[]
    ).flatMap(({ reply }) => reply.hits ?? [])
    platform.instead.set(SEARCH_PATH, json({ hits: replies, nbHits: 1, nbPages: 1 }))

    const { posts } = await backfill(platform.source, 'new', 0)

    const titled = replies.filter(({ title }) => Boolean(title))
    expect(new Set(idsOf({ posts }))).toEqual(new Set(titled.map((hit) => Number(hit['objectID']))))
    expect(posts.filter(({ title }) => title === 'Why HN was down')).toMatchObject([
      { body: expect.stringMatching(/\w{3}/), author: 'pg' },
    ])
  })

  test('the recorded answer that is no list is unreadable', async () => {
    await using platform = await openPlatform()
    platform.lists['newstories'] = recorded('firebase/list_7.json')

    await expect(fetchNew(platform.source)).rejects.toMatchObject({ failure: 'unreadable' })
  })
})

describe('what a list brings', () => {
  test('deleted, dead and odd items are left out, the others come', async () => {
    await using platform = await openPlatform()
    const ids = platform.publish(1, 8)
    platform.lists['newstories'] = [...ids, 'odd', null]
    platform.items.set(2, { id: 2, type: 'story', deleted: true, time: FIRST_SECONDS })
    platform.items.set(3, { id: 3, type: 'story', dead: true, time: FIRST_SECONDS, title: 'Dead' })
    platform.items.set(4, { id: 4, type: 'hologram', time: FIRST_SECONDS, title: 'New kind' })
    platform.items.set(5, { id: 5, type: 'story', title: 'Without a date' })
    platform.items.set(6, { id: 6, type: 'story', time: FIRST_SECONDS })
    platform.items.set(7, {})

    expect(idsOf(await fetchNew(platform.source))).toEqual([8, 1])
  })

  test.each([{ list: [] }, { list: null }])('the list $list is an empty one', async ({ list }) => {
    await using platform = await openPlatform()
    platform.lists['newstories'] = list

    expect(await fetchNew(platform.source)).toMatchObject({ posts: [], gaps: [] })
  })

  test.each(['new', 'top', 'ask', 'show', 'job'])(
    '%s is read from its own list',
    async (channel) => {
      await using platform = await openPlatform()
      platform.lists[`${channel}stories`] = platform.publish(1, 2)

      const { posts } = await fetchNew(platform.source, { channel })

      expect(posts.map(({ subforum }) => subforum)).toEqual([channel, channel])
    },
  )

  test('a channel that the platform does not have is not found', async () => {
    await using platform = await openPlatform()

    await expect(fetchNew(platform.source, { channel: 'best' })).rejects.toMatchObject({
      name: 'SourceError',
      failure: 'not_found',
    })
    await expect(backfill(platform.source, 'best', 0)).rejects.toMatchObject({
      failure: 'not_found',
    })
  })
})

describe('failures', () => {
  test.each([{ list: { error: 'Permission denied' } }, { list: 7 }, { list: 'odd' }])(
    'the list $list is unreadable',
    async ({ list }) => {
      await using platform = await openPlatform()
      platform.lists['newstories'] = list

      await expect(fetchNew(platform.source)).rejects.toMatchObject({ failure: 'unreadable' })
    },
  )

  test('an item that fails is fetched the next time', async () => {
    await using platform = await openPlatform()
    platform.lists['newstories'] = platform.publish(1, 5)
    platform.instead.set(itemPath(3), { body: '<html>Sorry</html>' })
    platform.instead.set(itemPath(4), { status: 403 })

    const first = await fetchNew(platform.source)
    platform.instead.delete(itemPath(3))
    const second = await fetchNew(platform.source, { cursor: first.cursor })

    expect(idsOf(first)).toEqual([5, 2, 1])
    expect(idsOf(second)).toEqual([3])
  })

  test('when most items fail the whole fetch does, with the reason of the first', async () => {
    await using platform = await openPlatform()
    platform.lists['newstories'] = platform.publish(1, 5)
    for (const id of [2, 3, 4]) platform.instead.set(itemPath(id), { status: 403 })

    await expect(fetchNew(platform.source)).rejects.toMatchObject({ failure: 'forbidden' })
  })

  test('a platform that refuses every item is not asked for all of them', async () => {
    await using platform = await openPlatform()
    platform.lists['newstories'] = platform.publish(1, 200)
    for (const id of platform.items.keys()) {
      platform.instead.set(itemPath(id), { status: 404 })
    }

    await expect(fetchNew(platform.source)).rejects.toMatchObject({ failure: 'not_found' })
    expect(platform.server.paths.length).toBeLessThan(60)
  })

  test('an abort ends the wait for an item with its own reason', async () => {
    await using platform = await openPlatform()
    platform.lists['newstories'] = platform.publish(1, 3)
    const abort = new AbortController()
    platform.instead.set(itemPath(2), () => {
      abort.abort(new Error('enough'))
      return { ending: 'hang' }
    })

    await expect(fetchNew(platform.source, { signal: abort.signal })).rejects.toThrow('enough')
  })
})

describe('from one fetch to the next', () => {
  test('only ids that were not there before are fetched', async () => {
    await using platform = await openPlatform()
    platform.lists['newstories'] = platform.publish(1, 3)
    const first = await fetchNew(platform.source)
    platform.lists['newstories'] = platform.publish(1, 5)
    platform.server.asked.length = 0

    const second = await fetchNew(platform.source, { cursor: first.cursor })

    expect(idsOf(second)).toEqual([5, 4])
    expect(platform.server.paths.sort()).toEqual([
      itemPath(4),
      itemPath(5),
      '/items/v0/newstories.json',
    ])
  })

  test('from the start the whole list is read again, and what was known stays known', async () => {
    await using platform = await openPlatform()
    platform.lists['newstories'] = platform.publish(1, 4)
    const first = await fetchNew(platform.source)
    platform.lists['newstories'] = [4, 3]

    const second = await fetchNew(platform.source, { cursor: first.cursor, fromStart: true })
    platform.lists['newstories'] = [4, 3, 2, 1]
    const third = await fetchNew(platform.source, { cursor: second.cursor })

    expect(idsOf(second)).toEqual([4, 3])
    expect(idsOf(third)).toEqual([])
  })

  test('a ranking that is shuffled brings nothing twice', async () => {
    await using platform = await openPlatform()
    platform.publish(1, 6)
    platform.lists['topstories'] = [1, 2, 3, 4]
    const first = await fetchNew(platform.source, { channel: 'top' })
    platform.lists['topstories'] = [5, 4, 3]
    const second = await fetchNew(platform.source, { channel: 'top', cursor: first.cursor })
    platform.lists['topstories'] = [2, 6, 1, 5]
    const third = await fetchNew(platform.source, { channel: 'top', cursor: second.cursor })

    expect([first, second, third].map(idsOf)).toEqual([[4, 3, 2, 1], [5], [6]])
    expect([first, second, third].flatMap(({ gaps }) => gaps)).toEqual([])
  })

  test('an item that is null at first is tried again and comes later', async () => {
    await using platform = await openPlatform()
    platform.lists['newstories'] = [2, ...platform.publish(1, 1)]

    const first = await fetchNew(platform.source)
    const second = await fetchNew(platform.source, { cursor: first.cursor })
    platform.publish(2, 2)
    platform.lists['newstories'] = []
    const third = await fetchNew(platform.source, { cursor: second.cursor })

    expect([first, second, third].map(idsOf)).toEqual([[1], [], [2]])
  })

  test('an item that stays null is given up', async () => {
    await using platform = await openPlatform()
    platform.lists['newstories'] = [2, ...platform.publish(1, 1)]
    let cursor: string | null = null
    for (let round = 0; round < 8; round += 1) {
      cursor = (await fetchNew(platform.source, { cursor })).cursor
    }

    const tries = platform.server.paths.filter((path) => path === itemPath(2))
    expect(tries).toHaveLength(6)
  })

  test('an unchanged list is not sent again, and what is pending is fetched all the same', async () => {
    await using platform = await openPlatform()
    const sent: (string | undefined)[] = []
    platform.instead.set('/items/v0/newstories.json', ({ headers }) => {
      sent.push(headers['if-none-match'])
      return headers['if-none-match'] === '"a"' ? { status: 304 } : json([2, 1], { etag: '"a"' })
    })
    platform.publish(1, 1)
    const first = await fetchNew(platform.source)
    platform.publish(2, 2)

    const second = await fetchNew(platform.source, { cursor: first.cursor })
    const third = await fetchNew(platform.source, { cursor: second.cursor })
    const fourth = await fetchNew(platform.source, { cursor: third.cursor, fromStart: true })

    expect([first, second, third, fourth].map(idsOf)).toEqual([[1], [2], [], [2, 1]])
    expect(sent).toEqual([undefined, '"a"', '"a"', undefined])
  })
})

describe('more was posted than the list holds', () => {
  const LATE_ITEM = itemPath(150)

  async function openWithHole() {
    const platform = await openPlatform()
    platform.lists['askstories'] = platform.publish(1, 200)
    platform.instead.set(LATE_ITEM, { status: 403 })
    const { cursor } = await fetchNew(platform.source, { channel: 'ask' })
    platform.lists['askstories'] = platform.publish(201, 900).slice(0, 200)
    const fetchAgain = () => fetchNew(platform.source, { channel: 'ask', cursor })
    return Object.assign(platform, { fetchAgain })
  }

  test('the search API fills the hole, and nothing is lost or doubled', async () => {
    await using platform = await openWithHole()
    platform.instead.delete(LATE_ITEM)

    const { posts, gaps } = await platform.fetchAgain()

    const missed = Array.from({ length: 700 }, (_, index) => 900 - index)
    expect(idsOf({ posts })).toEqual([...missed, 150])
    expect(new Set(posts.map(({ subforum }) => subforum))).toEqual(new Set(['ask']))
    expect(gaps).toEqual([])
  })

  test('a search that fails on its way is gone on with at the next fetch, and nothing is lost', async () => {
    await using platform = await openWithHole()
    let pages = 0
    platform.instead.set(SEARCH_PATH, ({ query }) => {
      pages += 1
      return pages === 1 ? json(platform.search(query)) : { body: '<html>Sorry</html>' }
    })

    const first = await platform.fetchAgain()
    platform.instead.delete(SEARCH_PATH)
    platform.instead.delete(LATE_ITEM)
    const second = await fetchNew(platform.source, { channel: 'ask', cursor: first.cursor })

    expect(first).toMatchObject({ gaps: [], isPartial: true })
    expect(Math.min(...idsOf(first))).toBeLessThan(701)
    expect(Math.min(...idsOf(first))).toBeGreaterThan(201)
    expect(second).toMatchObject({ gaps: [], isPartial: false })
    const missed = Array.from({ length: 700 }, (_, index) => 900 - index)
    const ids = new Set([...idsOf(first), ...idsOf(second)])
    expect([...ids].toSorted((one, other) => other - one)).toEqual([...missed, 150])
  })

  test.each([
    { name: 'cannot give', refusal: { status: 403 }, reason: 'HTTP 403' },
    { name: 'knows nothing of', refusal: null, reason: 'knows no posts' },
  ])(
    'what the search API $name is a gap with its time span, after twelve tries',
    async ({ refusal, reason }) => {
      await using platform = await openWithHole()
      platform.instead.delete(LATE_ITEM)
      if (refusal !== null) platform.instead.set(SEARCH_PATH, refusal)
      platform.hits.length = 0

      const fetches = [await platform.fetchAgain()]
      while (fetches.length < 13) {
        const cursor = fetches.at(-1)?.cursor ?? null
        fetches.push(await fetchNew(platform.source, { channel: 'ask', cursor }))
      }

      const listed = Array.from({ length: 200 }, (_, index) => 900 - index)
      expect(fetches.flatMap(idsOf)).toEqual([...listed, 150])
      expect(fetches.map(({ gaps }) => gaps.length)).toEqual([...Array(11).fill(0), 1, 0])
      expect(fetches.map(({ isPartial }) => isPartial)).toEqual([
        ...Array(11).fill(true),
        false,
        false,
      ])
      expect(fetches[11]?.gaps).toEqual([
        {
          fromAt: (FIRST_SECONDS + 200) * 1_000,
          toAt: (FIRST_SECONDS + 701) * 1_000,
          reason: expect.stringContaining(reason),
        },
      ])
    },
  )

  test('of a hole that is too long the newest ten thousand posts come, and the rest is a gap', async () => {
    await using platform = await openWithHole()
    for (let id = 1_001; id <= 11_500; id += 1) {
      platform.hits.push(aHit(id, FIRST_SECONDS + 200 + (id % 500)))
    }

    const { posts, gaps } = await platform.fetchAgain()

    expect(posts.length).toBeGreaterThan(10_000)
    expect(posts.length).toBeLessThan(10_700)
    expect(gaps).toMatchObject([
      { fromAt: (FIRST_SECONDS + 200) * 1_000, reason: 'More than 10000 posts were missed.' },
    ])
  })
})

describe('looking again', () => {
  test('tells what is there and what is removed, and leaves out the unknown', async () => {
    await using platform = await openPlatform()
    platform.publish(1, 5)
    platform.items.set(2, { id: 2, type: 'story', deleted: true })
    platform.items.set(3, { id: 3, type: 'story', dead: true, title: 'Dead', time: FIRST_SECONDS })
    platform.items.delete(4)
    platform.instead.set(itemPath(5), { status: 403 })

    const { signal } = new AbortController()
    const states = await platform.source.lookAgain(['1', '2', '3', '4', '5', '../x'], signal)

    expect(states.map((state) => (state.kind === 'there' ? state.post.forumId : state))).toEqual(
      expect.arrayContaining([
        '1',
        { kind: 'removed', forumId: '2' },
        { kind: 'removed', forumId: '3' },
      ]),
    )
    expect(states).toHaveLength(3)
    expect(platform.server.paths).toHaveLength(5)
  })

  test('fails when every item does, and asks nothing for no ids', async () => {
    await using platform = await openPlatform()
    const { signal } = new AbortController()
    for (const id of [1, 2]) platform.instead.set(itemPath(id), { status: 500 })

    await expect(platform.source.lookAgain(['1', '2'], signal)).rejects.toMatchObject({
      failure: 'unreachable',
    })
    expect(await platform.source.lookAgain([], signal)).toEqual([])
  })
})

describe('backfill', () => {
  const SAME_PAGE = {
    hits: [aHit(2, FIRST_SECONDS + 2), aHit(1, FIRST_SECONDS)],
    nbHits: 9,
    nbPages: 1,
  }

  test('goes beyond a thousand results by moving the window, each post once', async () => {
    await using platform = await openPlatform()
    for (let id = 1; id <= 2_600; id += 1)
      platform.hits.push(aHit(id, FIRST_SECONDS + Math.floor(id / 3)))

    const { posts, gaps } = await backfill(platform.source, 'ask', (FIRST_SECONDS + 100) * 1_000)

    expect(idsOf({ posts })).toEqual(Array.from({ length: 2_301 }, (_, index) => 2_600 - index))
    expect(gaps).toEqual([])
  })

  test('a second with more than a thousand posts is a gap, and what is older still comes', async () => {
    await using platform = await openPlatform()
    for (let id = 1; id <= 50; id += 1) platform.hits.push(aHit(id, FIRST_SECONDS))
    for (let id = 51; id <= 1_350; id += 1) platform.hits.push(aHit(id, FIRST_SECONDS + 1))

    const { posts, gaps } = await backfill(platform.source, 'ask', 0)

    expect(new Set(idsOf({ posts })).size).toBe(posts.length)
    expect(posts).toHaveLength(1_050)
    expect(gaps).toMatchObject([
      { fromAt: (FIRST_SECONDS + 1) * 1_000, toAt: (FIRST_SECONDS + 2) * 1_000 },
    ])
  })

  test.each([
    { what: 'a web page', answer: { body: '<html>Sorry</html>' }, failure: 'unreadable' },
    { what: 'no hits', answer: json({ message: 'no' }), failure: 'unreadable' },
    { what: 'results left out', answer: json({ hits: [], nbHits: 9 }), failure: 'unreadable' },
    { what: 'the same page for ever', answer: json(SAME_PAGE), failure: 'unreadable' },
    { what: '403', answer: { status: 403 }, failure: 'forbidden' },
  ])('$what in place of results is $failure', async ({ answer, failure }) => {
    await using platform = await openPlatform()
    platform.instead.set(SEARCH_PATH, answer)

    await expect(backfill(platform.source, 'new', 0)).rejects.toMatchObject({ failure })
  })
})
