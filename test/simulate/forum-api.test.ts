import { describe, expect, test } from 'vitest'
import { startSimulation } from '#src/simulate/simulation.ts'
import type { NewPost } from '#src/simulate/post.ts'
import { askToken, control, forumClient, idsIn, type ListingBody } from './client.ts'
import {
  fieldTypesOf,
  forumRecordings,
  hasRecordings,
  recordedThings,
  strangeFields,
  WHERE,
} from './recordings.ts'

/** Oldest first, one a second. */
function posts(count: number, subforum = 'selfhosted'): NewPost[] {
  return Array.from({ length: count }, (_, index) => ({
    platform: 'forum',
    subforum,
    forumId: (1_000_000 + index).toString(36),
    title: `Post <${index}> & more`,
    body: index % 2 === 0 ? `Body *${index}*` : '',
    url: index % 2 === 0 ? null : `https://a.example/?n=${index}&m`,
    forumCreatedAt: new Date(Date.UTC(2026, 0, 1) + index * 1_000).toISOString(),
  }))
}

describe('a token', () => {
  test('is had with an id and a secret', async () => {
    await using simulation = await startSimulation()

    const { status, body } = await askToken(simulation)

    expect({ status, body }).toEqual({
      status: 200,
      body: {
        access_token: expect.any(String),
        token_type: 'bearer',
        expires_in: 86_400,
        scope: '*',
      },
    })
  })

  test('is refused to others', async () => {
    const credentials = { id: 'id', secret: 'right' }
    await using simulation = await startSimulation({ tokens: { credentials } })

    expect(await askToken(simulation, 'id:wrong')).toEqual({
      status: 401,
      body: { message: 'Unauthorized', error: 401 },
    })
  })

  test('is needed, and must not have ended', async () => {
    let now = Date.now()
    const options = { posts: posts(1), tokens: { lifetimeSeconds: 60 }, clock: () => now }
    await using simulation = await startSimulation(options)
    const forum = await forumClient(simulation)

    const bare = await fetch(`${simulation.url}/r/selfhosted/new`)
    const before = await forum.get('/r/selfhosted/new')
    now += 60_000
    const after = await forum.get('/r/selfhosted/new')

    expect([bare.status, before.status, after.status]).toEqual([401, 200, 401])
    expect(await bare.json()).toEqual({ message: 'Unauthorized', error: 401 })
  })
})

describe('a listing', () => {
  test('read downwards shows every post once, a thousand deep', async () => {
    await using simulation = await startSimulation({ posts: posts(1_150) })
    const forum = await forumClient(simulation)

    const seen: string[] = []
    let after: string | null = ''
    while (after !== null) {
      const page: ListingBody = await forum.list(`/r/selfhosted/new?limit=100&after=${after}`)
      seen.push(...idsIn(page))
      ;({ after } = page.data)
    }

    const expected = posts(1_150).map(({ forumId }) => forumId)
    expect(seen).toEqual(expected.slice(-1_000).toReversed())
  })

  test('read upwards shows every newer post once, next to the anchor first', async () => {
    await using simulation = await startSimulation({ posts: posts(260) })
    const forum = await forumClient(simulation)
    const expected = posts(260).map(({ forumId }) => String(forumId))

    const pages: string[][] = []
    let anchor: string | undefined = expected[9]
    while (anchor !== undefined) {
      const page = await forum.list(`/r/selfhosted/new?limit=100&before=t3_${anchor}`)
      pages.unshift(idsIn(page))
      anchor = idsIn(page)[0]
    }

    expect(pages.map((page) => page.length)).toEqual([0, 50, 100, 100])
    expect(pages.flat()).toEqual(expected.slice(10).toReversed())
  })

  test.each(['before', 'after'])(
    'is empty when the post in `%s` is gone or unknown',
    async (way) => {
      await using simulation = await startSimulation({ posts: posts(5) })
      const forum = await forumClient(simulation)
      const gone = simulation.world.get('forum', String(posts(5)[2]?.forumId))
      if (gone !== undefined) simulation.world.remove(gone, 'deleted', Date.now())

      const removed = await forum.list(`/r/selfhosted/new?${way}=t3_${gone?.forumId}`)
      const unknown = await forum.list(`/r/selfhosted/new?${way}=t3_zzz`)

      for (const { data } of [removed, unknown]) {
        expect(data).toMatchObject({ children: [], dist: 0, after: null, before: null })
      }
    },
  )

  test('has 25 posts unless told otherwise, and 100 at most', async () => {
    await using simulation = await startSimulation({ posts: posts(120) })
    const forum = await forumClient(simulation)

    expect((await forum.list('/r/selfhosted/new')).data.dist).toBe(25)
    expect((await forum.list('/r/selfhosted/new.json?limit=3')).data.dist).toBe(3)
    expect((await forum.list('/r/selfhosted/new?limit=500')).data.dist).toBe(100)
  })

  test('of a channel that nobody knows is a 404', async () => {
    await using simulation = await startSimulation({ posts: posts(1), channels: ['empty'] })
    const forum = await forumClient(simulation)

    const unknown = await forum.get('/r/nowhere/new')

    expect(unknown.status).toBe(404)
    expect(await unknown.json()).toEqual({ message: 'Not Found', error: 404 })
    expect((await forum.list('/r/empty/new')).data.dist).toBe(0)
    expect((await forum.list('/r/SELFHOSTED/new')).data.dist).toBe(1)
  })

  test.each([
    { access: 'private', status: 403, message: 'Forbidden' },
    { access: 'banned', status: 404, message: 'Not Found' },
  ])('of a $access channel is a $status', async ({ access, status, message }) => {
    await using simulation = await startSimulation({ posts: posts(1) })
    const forum = await forumClient(simulation)

    await control(simulation, { channels: [{ name: 'selfhosted', access }] })

    const answer = await forum.get('/r/selfhosted/new')
    const feed = await fetch(`${simulation.url}/r/selfhosted/new/.rss`)
    expect([answer.status, feed.status]).toEqual([status, status])
    expect(await answer.json()).toEqual({ reason: access, message, error: status })
  })

  test('of any channel is there where every channel exists', async () => {
    await using simulation = await startSimulation({ everyChannelExists: true })
    const forum = await forumClient(simulation)

    expect((await forum.list('/r/nowhere/new')).data.dist).toBe(0)
  })

  test('escapes its strings unless it is asked for raw ones', async () => {
    await using simulation = await startSimulation({ posts: posts(2) })
    const forum = await forumClient(simulation)

    const [raw, escaped] = await Promise.all(
      ['?raw_json=1', ''].map(async (query) => forum.list(`/r/selfhosted/new${query}`)),
    )

    expect(raw?.data.children[0]?.data).toMatchObject({
      title: 'Post <1> & more',
      url: 'https://a.example/?n=1&m',
    })
    expect(escaped?.data.children[0]?.data).toMatchObject({
      title: 'Post &lt;1&gt; &amp; more',
      url: 'https://a.example/?n=1&amp;m',
    })
  })
})

test('posts are had by their names, in the order asked, the unknown left out', async () => {
  await using simulation = await startSimulation({ posts: posts(150) })
  const forum = await forumClient(simulation)
  const names = posts(150).map(({ forumId }) => `t3_${forumId}`)

  const some = await forum.list(`/api/info?id=${names[4]},t1_abc,t3_zzz,${names[2]}&raw_json=1`)
  const many = await forum.list(`/api/info/?id=${names.join(',')}`)

  expect(some.data.children.map(({ data }) => data.name)).toEqual([names[4], names[2]])
  expect(many.data.dist).toBe(100)
})

test('the budget counts down over a client’s tokens, ends in a 429, and comes back', async () => {
  let now = Date.now()
  const budget = { limit: 3, windowMs: 60_000 }
  await using simulation = await startSimulation({ posts: posts(1), budget, clock: () => now })
  const [first, second] = [await forumClient(simulation), await forumClient(simulation)]

  const answers: Response[] = []
  for (const client of [first, first, second, first]) {
    answers.push(await client.get('/r/selfhosted/new'))
  }
  now += 60_000
  answers.push(await first.get('/r/selfhosted/new'))

  const told = answers.map(({ status, headers }) => [
    status,
    headers.get('x-ratelimit-remaining'),
    headers.get('x-ratelimit-used'),
    headers.get('x-ratelimit-reset'),
  ])
  expect(told).toEqual([
    [200, '2.0', '1', '60'],
    [200, '1.0', '2', '60'],
    [200, '0.0', '3', '60'],
    [429, '0.0', '3', '60'],
    [200, '2.0', '1', '60'],
  ])
})

describe.skipIf(!hasRecordings)(`beside the recorded answers${WHERE}`, () => {
  test('a post has no field, and no type of a field, that the platform has not', async () => {
    await using simulation = await startSimulation({ channels: ['webdev'], historyPerChannel: 50 })
    const forum = await forumClient(simulation)
    const known = fieldTypesOf(recordedThings())
    const ids = simulation.world.everVisible.idsIn('forum/webdev')
    const removals = ids.slice(0, 20).map((forumId, index) => ({
      platform: 'forum',
      forumId,
      by: index % 2 === 0 ? 'moderator' : 'deleted',
    }))
    await control(simulation, { removals })

    const names = ids.map((id) => `t3_${id}`)
    const { data } = await forum.list(`/api/info?id=${names.join(',')}`)

    expect(data.dist).toBe(50)
    expect(data.children.flatMap((child) => strangeFields(child.data, known))).toEqual([])
  })

  test('a listing has the fields and headers of a recorded one', async () => {
    await using simulation = await startSimulation({ posts: posts(3) })
    const forum = await forumClient(simulation)
    const recorded = forumRecordings() as { headers: object; body: ListingBody }[]

    const response = await forum.get('/r/selfhosted/new?limit=2')
    const { data, ...rest } = (await response.json()) as ListingBody

    const listings = recorded.filter(({ body }) => body?.kind === 'Listing')
    const known = fieldTypesOf(listings.map(({ body }) => body.data))
    expect(rest).toEqual({ kind: 'Listing' })
    expect(strangeFields(data, known)).toEqual([])
    const budget = [...response.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))
    expect(recorded.flatMap(({ headers }) => Object.keys(headers))).toEqual(
      expect.arrayContaining(budget),
    )
  })
})
