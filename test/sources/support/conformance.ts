// What every source has to bear. Each runs through it with its own platform of wire shapes.

import { describe, expect, test } from 'vitest'
import type { Client } from '#src/sources/http/client.ts'
import type { Fetched, Source } from '#src/sources/source.ts'
import { scriptedServer, type Asked, type Reply, type Script } from './scripted-server.ts'
import { testClient } from './test-client.ts'

export interface SourceCase {
  name: string
  channel: string
  open(url: string, client: Client): Source
  /** A healthy platform with a few posts; each passes `change` on its way out. */
  platform(change?: (post: Record<string, unknown>) => void): Script
  /** The fields of a post as the platform sends them. */
  fields: readonly string[]
  /** Whether a request asks for posts, not for a token or the like. */
  isForPosts(asked: Asked): boolean
}

interface Circumstances {
  cursor?: string | null
  signal?: AbortSignal
  deadlineMs?: number
  maxBytes?: number
}

const ODD_VALUES = [undefined, null, '', 'odd', -1, 1e300, true, [], {}, '\u0000<b>']

export function describeSource(given: SourceCase): void {
  describe(`${given.name} as a source`, () => {
    test('reads each post once, with an id, a title, a date and a place', async () => {
      const { posts, gaps } = await fetchFrom(given, given.platform())

      expect(posts.length).toBeGreaterThan(0)
      expect(new Set(posts.map(({ forumId }) => forumId)).size).toBe(posts.length)
      for (const post of posts) {
        expect(post.title).not.toBe('')
        expect(URL.canParse(post.permalink)).toBe(true)
        expect(Number.isSafeInteger(post.createdAt)).toBe(true)
      }
      expect(gaps).toEqual([])
    })

    test('goes on from its own cursor, and starts anew from one it cannot read', async () => {
      const first = await fetchFrom(given, given.platform())
      const second = await fetchFrom(given, given.platform(), { cursor: first.cursor })
      const third = await fetchFrom(given, given.platform(), { cursor: '{"not": 1}' })

      expect(second.posts).toEqual([])
      expect(idsOf(third)).toEqual(idsOf(first))
    })

    describeOddPosts(given)
    describeFailures(given)
  })
}

function describeOddPosts(given: SourceCase): void {
  test.each(given.fields)('bears a post without %s, or with an odd one', async (field) => {
    const healthy = await fetchFrom(given, given.platform())
    const dates = new Set(healthy.posts.map(({ createdAt }) => createdAt))

    for (const value of ODD_VALUES) {
      const change = (post: Record<string, unknown>) => {
        if (value === undefined) delete post[field]
        else post[field] = value
      }
      const odd = await fetchFrom(given, given.platform(change))

      for (const post of odd.posts) {
        expect(dates).toContain(post.createdAt) // no date is made up
        expect(`${post.title}${post.body}${post.author}`).not.toContain('\u0000')
      }
    }
  })
}

const FAULTS: { what: string; reply: Reply; failure: string; message: RegExp }[] = [
  {
    what: 'a web page',
    reply: { headers: { 'content-type': 'text/html' }, body: '<!doctype html><p>Hello' },
    failure: 'unreadable',
    message: /web page|something else/,
  },
  {
    what: 'nothing',
    reply: { body: '' },
    failure: 'unreadable',
    message: /nothing|something else/,
  },
  {
    what: 'another site',
    reply: { status: 301, headers: { location: 'https://elsewhere.invalid/' } },
    failure: 'unreadable',
    message: /another site/,
  },
  { what: 'HTTP 401', reply: { status: 401 }, failure: 'unauthorized', message: /401/ },
  { what: 'HTTP 403', reply: { status: 403 }, failure: 'forbidden', message: /403|private/ },
  { what: 'HTTP 404', reply: { status: 404 }, failure: 'not_found', message: /404|gone/ },
  { what: 'HTTP 429', reply: { status: 429 }, failure: 'throttled', message: /429/ },
  { what: 'HTTP 500', reply: { status: 500 }, failure: 'unreachable', message: /500/ },
  { what: 'HTTP 503', reply: { status: 503 }, failure: 'unreachable', message: /503/ },
  { what: 'no answer', reply: { ending: 'hang' }, failure: 'unreachable', message: /within 0.1 s/ },
  {
    what: 'a broken connection',
    reply: { body: '{', ending: 'cut' },
    failure: 'unreachable',
    message: /cannot be reached/,
  },
  {
    what: 'far too much',
    reply: { body: ' '.repeat(300_000) },
    failure: 'unreadable',
    message: /more than/,
  },
]

function describeFailures(given: SourceCase): void {
  const instead = (change: (reply: Reply) => Reply): Script => {
    const healthy = given.platform()
    return async (asked) => {
      const reply = await healthy(asked)
      return given.isForPosts(asked) ? change(reply) : reply
    }
  }

  test.each(FAULTS)('says so when it gets $what', async ({ reply, failure, message }) => {
    const script = instead(() => reply)
    const limits = { maxBytes: 262_144, ...(reply.ending === 'hang' ? { deadlineMs: 100 } : {}) }

    await expect(fetchFrom(given, script, limits)).rejects.toMatchObject({
      name: 'SourceError',
      failure,
      message: expect.stringMatching(message),
    })
  })

  test('says so when an answer is cut off', async () => {
    const script = instead(({ headers = {}, body = '' }) => ({
      headers,
      body: body.slice(0, body.length / 2),
    }))

    await expect(fetchFrom(given, script)).rejects.toMatchObject({ failure: 'unreadable' })
  })

  test('an abort ends it with its own reason', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const script = instead(() => {
      setImmediate(() => controller.abort(reason))
      return { ending: 'hang' }
    })

    await expect(fetchFrom(given, script, { signal: controller.signal })).rejects.toBe(reason)
  })
}

function idsOf({ posts }: Fetched): string[] {
  return posts.map(({ forumId }) => forumId)
}

async function fetchFrom(
  { open, channel }: SourceCase,
  script: Script,
  { cursor = null, signal = new AbortController().signal, ...limits }: Circumstances = {},
): Promise<Fetched> {
  await using server = await scriptedServer(script)
  await using client = testClient(limits)
  return await open(server.url, client).fetchNew({ channel, cursor, fromStart: false, signal })
}
