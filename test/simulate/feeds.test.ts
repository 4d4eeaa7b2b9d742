import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { OperatorError } from '#src/errors.ts'
import { startSimulation, type Simulation } from '#src/simulate/simulation.ts'

const LINES = [
  ...[3, 1, 2].map((minute) =>
    JSON.stringify({
      platform: 'forum',
      forumId: `a${minute}`,
      subforum: 'SelfHosted',
      title: `Minute\u2028${minute}`,
      body: '',
      permalink: 'https://www.reddit.com/r/SelfHosted/comments/a1/x/',
      url: null,
      score: minute,
      numComments: 0,
      forumCreatedAt: `2013-01-10T00:0${minute}:00Z`,
      author: 'unknown',
    }),
  ),
  '',
  'no JSON',
  '{"platform":"fax","title":"No post"}',
]

function aFile(name: string, content: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-simulate-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** The world moves on in ticks, which a busy machine may delay. */
const eventually = <Value>(look: () => Value) => expect.poll(look, { timeout: 20_000 })

const visible = ({ world }: Simulation) => world.everVisible.idsIn('forum/selfhosted')

describe('a file', () => {
  test.each([
    { name: 'posts.ndjson', content: LINES.join('\n') },
    { name: 'posts.ndjson.gz', content: gzipSync(LINES.join('\n')) },
  ])('$name is there all at once, its bad lines counted', async ({ name, content }) => {
    const file = { path: aFile(name, content), all: true }

    await using simulation = await startSimulation({ file })

    expect(simulation.skippedLines).toBe(2)
    const channel = simulation.world.forumChannel('selfhosted')
    expect(channel?.posts.map(({ forumId }) => forumId)).toEqual(['a1', 'a2', 'a3'])
    expect(channel?.posts[0]?.createdAt).toBe(Date.UTC(2013, 0, 10, 0, 1))
  })

  test('is replayed in the order of its times, at a rate, as if written now', async () => {
    let now = Date.UTC(2026, 5, 1)
    const file = { path: aFile('posts.ndjson', LINES.join('\n')) }
    const options = { file, ratePerMinute: 1, clock: () => now }
    await using simulation = await startSimulation(options)

    const start = [...visible(simulation)]
    now += 120_000
    await eventually(() => visible(simulation)).toHaveLength(2)
    now += 60_000
    await eventually(() => visible(simulation)).toHaveLength(3)

    expect(start).toEqual([])
    expect(visible(simulation)).toEqual(['a1', 'a2', 'a3'])
    expect(simulation.world.get('forum', 'a3')?.createdAt).toBe(now)
  })

  test('is replayed in its own rhythm, faster', async () => {
    let now = Date.UTC(2026, 5, 1)
    const file = { path: aFile('posts.ndjson', LINES.join('\n')), inRhythm: true }
    await using simulation = await startSimulation({ file, speed: 60, clock: () => now })

    await eventually(() => visible(simulation)).toEqual(['a1'])
    now += 1_000
    await eventually(() => visible(simulation)).toEqual(['a1', 'a2'])
    now += 1_000
    await eventually(() => visible(simulation)).toEqual(['a1', 'a2', 'a3'])
  })

  test.each([
    { what: 'that is not there', path: () => '/nowhere/posts.ndjson' },
    { what: 'that is none', path: () => aFile('posts.ndjson.gz', 'not gzipped') },
  ])('$what is refused with its name', async ({ path }) => {
    const started = startSimulation({ file: { path: path(), all: true } })

    await expect(started).rejects.toThrow(OperatorError)
    await expect(started).rejects.toThrow(/posts\.ndjson.* cannot be read/)
  })
})

describe('a generated world', () => {
  const options = { channels: ['selfhosted', 'webdev'], historyPerChannel: 30, seed: 4 }
  const clock = () => Date.UTC(2026, 5, 1)
  const postsOf = ({ world }: Simulation) => world.forumChannel('webdev')?.posts ?? []

  test('begins with a past of one day, the same for the same seed', async () => {
    await using first = await startSimulation({ ...options, clock })
    await using second = await startSimulation({ ...options, clock })
    await using other = await startSimulation({ ...options, clock, seed: 5 })

    expect(postsOf(first)).toHaveLength(30)
    expect(postsOf(first)).toEqual(postsOf(second))
    expect(postsOf(first)).not.toEqual(postsOf(other))
    const ages = postsOf(first).map(({ createdAt }) => clock() - createdAt)
    expect(Math.min(...ages)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...ages)).toBeLessThan(86_400_000)
  })

  test('goes on at its rate', async () => {
    let now = clock()
    await using simulation = await startSimulation({
      ...options,
      historyPerChannel: 0,
      ratePerMinute: 60,
      clock: () => now,
    })

    now += 60_000
    await eventually(() => seenIn(simulation).length).toBe(60)
    now += 30_000
    await eventually(() => seenIn(simulation).length).toBe(90)
  })

  test('loses the posts that are to vanish', async () => {
    let now = clock()
    await using simulation = await startSimulation({ ...options, removals: 1, clock: () => now })

    now += 86_400_000

    await eventually(() => postsOf(simulation).every(({ removal }) => removal !== null)).toBe(true)
  })

  /** Stories and posts; what is asked or shown is in `new` too. */
  function seenIn({ world }: Simulation): string[] {
    const channels = ['forum/selfhosted', 'forum/webdev', 'newsboard/new', 'newsboard/job']
    return channels.flatMap((channel) => world.everVisible.idsIn(channel))
  }
})

test('it never remembers more than it may', async () => {
  await using simulation = await startSimulation({ historyPerChannel: 50, mostPosts: 20 })

  expect(simulation.world.size).toBe(20)
  expect(simulation.world.newsboard.posts.length).toBeLessThanOrEqual(20)
})
