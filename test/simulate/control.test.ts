import { describe, expect, test } from 'vitest'
import { startSimulation, type Simulation } from '#src/simulate/simulation.ts'
import type { NewPost } from '#src/simulate/post.ts'
import { control, forumClient, getJson, idsIn, type SearchBody } from './client.ts'

const FORUM: NewPost = { platform: 'forum', subforum: 'selfhosted', forumId: 'abc', title: 'One' }
const NEWSBOARD: NewPost = { platform: 'newsboard', subforum: 'ask', forumId: '7', title: 'Two' }

/** Where a post can be seen: the ids in every list that might show it. */
async function everywhere(simulation: Simulation) {
  const forum = await forumClient(simulation)
  const feed = await fetch(`${simulation.url}/r/selfhosted/new/.rss`)
  const found = await getJson<SearchBody>(simulation, '/api/v1/search_by_date?tags=story')
  return {
    listing: idsIn(await forum.list('/r/selfhosted/new')),
    feed: [...(await feed.text()).matchAll(/<id>t3_(?<id>\w+)/g)].map(
      ({ groups }) => groups?.['id'],
    ),
    new: await getJson(simulation, '/v0/newstories.json'),
    top: await getJson(simulation, '/v0/topstories.json'),
    ask: await getJson(simulation, '/v0/askstories.json'),
    search: found.hits.map(({ objectID }) => objectID),
  }
}

describe('posts', () => {
  test('that are added are seen everywhere at once', async () => {
    await using simulation = await startSimulation()

    const answer = await control(simulation, { posts: [FORUM, NEWSBOARD] })

    expect(answer).toEqual({ status: 200, body: { added: ['abc', '7'] } })
    expect(await everywhere(simulation)).toEqual({
      listing: ['abc'],
      feed: ['abc'],
      new: [7],
      top: [7],
      ask: [7],
      search: ['7'],
    })
  })

  test('that are removed are in no list, and shown as removed by their ids', async () => {
    await using simulation = await startSimulation({ posts: [FORUM, NEWSBOARD] })
    const removals = [
      { platform: 'forum', forumId: 'abc' },
      { platform: 'newsboard', forumId: '7' },
    ]

    expect((await control(simulation, { removals })).status).toBe(200)

    expect(await everywhere(simulation)).toEqual({
      listing: [],
      feed: [],
      new: [],
      top: [],
      ask: [],
      search: [],
    })
    const forum = await forumClient(simulation)
    expect((await forum.list('/api/info?id=t3_abc')).data.children[0]?.data).toMatchObject({
      removed_by_category: 'moderator',
      author: '[deleted]',
      selftext: '[removed]',
    })
    expect(await getJson(simulation, '/v0/item/7.json')).toMatchObject({ deleted: true })
  })

  test('get the score and the comments they are given', async () => {
    await using simulation = await startSimulation({ posts: [FORUM, NEWSBOARD] })
    const scores = [
      { platform: 'forum', forumId: 'abc', score: 5, numComments: 6 },
      { platform: 'newsboard', forumId: '7', numComments: 8 },
    ]

    await control(simulation, { scores })

    const forum = await forumClient(simulation)
    const [child] = (await forum.list('/r/selfhosted/new')).data.children
    expect(child?.data).toMatchObject({ score: 5, num_comments: 6 })
    expect(await getJson(simulation, '/v0/item/7.json')).toMatchObject({ score: 1, descendants: 8 })
  })
})

describe('a wish', () => {
  test.each([
    { what: 'is unknown', wishes: { pots: [] }, status: 400 },
    { what: 'is for an impossible post', wishes: { posts: [{ platform: 'fax' }] }, status: 400 },
    { what: 'is for more than always', wishes: { faults: { hang: 2 } }, status: 400 },
    {
      what: 'names a post that is not there',
      wishes: { removals: [{ platform: 'forum', forumId: 'zzz' }] },
      status: 404,
    },
  ])('that $what is refused', async ({ wishes, status }) => {
    await using simulation = await startSimulation({ posts: [FORUM] })

    expect((await control(simulation, wishes)).status).toBe(status)
  })

  test('that is not sent as JSON is refused', async () => {
    await using simulation = await startSimulation()

    const { status } = await fetch(`${simulation.url}/_control`, { method: 'POST', body: '{}' })

    expect(status).toBe(415)
  })
})

describe('faults', () => {
  const statusesOf = async (simulation: Simulation) => {
    const answers = Array.from({ length: 5 }, () => fetch(`${simulation.url}/v0/maxitem.json`))
    return (await Promise.all(answers)).map(({ status }) => status)
  }

  test('happen to every request at 1, and end when they are taken back', async () => {
    await using simulation = await startSimulation()

    await control(simulation, { faults: { tooMany: 1 } })
    const throttled = await statusesOf(simulation)
    await control(simulation, { faults: { serverError: 1 } })
    const failed = await statusesOf(simulation)
    await control(simulation, { faults: {} })
    const right = await statusesOf(simulation)

    expect(throttled).toEqual([429, 429, 429, 429, 429])
    expect(failed.every((status) => status >= 500)).toBe(true)
    expect(right).toEqual([200, 200, 200, 200, 200])
    expect(await getJson(simulation, '/_control')).toMatchObject({
      faults: { tooMany: 5, serverError: 5 },
    })
  })

  test('can be answers that nobody can read', async () => {
    const faults = { garbage: 1 }
    await using simulation = await startSimulation({ historyPerChannel: 5, faults })

    const answer = await fetch(`${simulation.url}/v0/newstories.json`)
    const body = await answer.text()

    expect(answer.status).toBe(200)
    expect(() => JSON.parse(body)).toThrow(SyntaxError)
  })

  test('can be no answer at all, which does not keep the simulation from ending', async () => {
    await using simulation = await startSimulation({ faults: { hang: 1 } })

    const hanging = fetch(`${simulation.url}/v0/maxitem.json`)
    const outcome = hanging.then(
      () => 'answered',
      () => 'cut',
    )
    await expect.poll(() => simulation.meter.faults['hang'], { timeout: 20_000 }).toBe(1)
    await simulation[Symbol.asyncDispose]()

    expect(await outcome).toBe('cut')
  })

  test('can be kept to one channel', async () => {
    const faults = { serverError: 1, only: '/r/selfhosted' }
    await using simulation = await startSimulation({ posts: [FORUM, NEWSBOARD], faults })
    const forum = await forumClient(simulation)

    expect((await forum.get('/r/selfhosted/new')).status).toBeGreaterThanOrEqual(500)
    expect((await forum.get('/api/info?id=t3_abc')).status).toBe(200)
  })
})

test('tells what was asked for, and what could ever be seen', async () => {
  await using simulation = await startSimulation({ posts: [FORUM, NEWSBOARD] })
  const forum = await forumClient(simulation)
  await forum.get('/r/SelfHosted/new')
  await forum.get('/r/selfhosted/new')
  await fetch(`${simulation.url}/v0/askstories.json`)
  await fetch(`${simulation.url}/nothing`)

  expect(await getJson(simulation, '/_control')).toEqual({
    requests: {
      total: 5,
      byRoute: { 'forum token': 1, 'forum listing': 2, 'newsboard askstories': 1, unknown: 1 },
      byChannel: { 'forum/selfhosted': 2, 'newsboard/ask': 1 },
    },
    faults: {},
    posts: 2,
    visible: {
      'forum/selfhosted': ['abc'],
      'newsboard/new': ['7'],
      'newsboard/ask': ['7'],
    },
  })
})

test('tokens can be ended', async () => {
  await using simulation = await startSimulation({ posts: [FORUM] })
  const forum = await forumClient(simulation)

  await control(simulation, { revokeTokens: true })

  expect((await forum.get('/r/selfhosted/new')).status).toBe(401)
})
