import { expect, test } from 'vitest'
import { startSimulation } from '#src/simulate/simulation.ts'
import type { NewPost } from '#src/simulate/post.ts'

const POST: NewPost = { platform: 'forum', subforum: 'selfhosted', title: 'A title', body: 'Text' }

const MANY = Array.from({ length: 130 }, () => POST)
const entriesIn = (feed: string) => feed.match(/<entry>/g)?.length ?? 0

test('a feed needs no token and has 25 entries, 100 at most', async () => {
  await using simulation = await startSimulation({ posts: MANY })

  const usual = await fetch(`${simulation.url}/r/selfhosted/new/.rss`)
  const long = await fetch(`${simulation.url}/r/selfhosted/new/.rss?limit=500`)

  expect(usual.status).toBe(200)
  expect(usual.headers.get('content-type')).toBe('application/atom+xml; charset=UTF-8')
  expect([entriesIn(await usual.text()), entriesIn(await long.text())]).toEqual([25, 100])
})

test('what has not changed is a 304, until something does', async () => {
  await using simulation = await startSimulation({ posts: [POST] })
  const feed = `${simulation.url}/r/selfhosted/new/.rss`
  const first = await fetch(feed)
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' }

  const again = await fetch(feed, { headers })
  simulation.add(POST)
  const changed = await fetch(feed, { headers })

  expect([first.status, again.status, changed.status]).toEqual([200, 304, 200])
  expect(again.headers.get('etag')).toBe(headers['if-none-match'])
  expect(await again.text()).toBe('')
  expect(entriesIn(await changed.text())).toBe(2)
})

test('a time does as well as a tag', async () => {
  await using simulation = await startSimulation({ posts: [POST] })
  const feed = `${simulation.url}/r/selfhosted/new/.rss`
  const changedAt = (await fetch(feed)).headers.get('last-modified') ?? ''

  const ask = (since: string) => fetch(feed, { headers: { 'if-modified-since': since } })

  expect((await ask(changedAt)).status).toBe(304)
  expect((await ask('Thu, 01 Jan 2015 00:00:00 GMT')).status).toBe(200)
})

test('its links lead to the site that sent it, and arrive', async () => {
  await using simulation = await startSimulation({ posts: [{ ...POST, forumId: 'abc' }] })
  const feed = await (await fetch(`${simulation.url}/r/selfhosted/new/.rss`)).text()

  const link = /<entry>.*?<link href="(?<link>[^"]+)"/s.exec(feed)?.groups?.['link']

  expect(link).toBe(`${simulation.url}/r/selfhosted/comments/abc/a_title/`)
  expect(await (await fetch(link ?? '')).text()).toContain('<p>Text</p>')
})

test('the feed of a channel that nobody knows is a 404', async () => {
  await using simulation = await startSimulation()

  expect((await fetch(`${simulation.url}/r/nowhere/new/.rss`)).status).toBe(404)
})
