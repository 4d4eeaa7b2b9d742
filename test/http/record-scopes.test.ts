// Who may find records: by key with the scope, or by session at the same path below /api; and only
// what belongs to the caller's organization.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role, Scope } from '#src/contract/access.ts'
import { ListRecords } from '#src/contract/list-records.ts'
import { Search } from '#src/contract/search.ts'
import { dataOf, withoutRequestId } from '#test/support/answers.ts'
import { Client, expectFailure, type Answer } from '#test/support/client.ts'
import {
  COMMON,
  manyPosts,
  openDatasets,
  titlesOf,
  WAYS,
  type Dataset,
  type Datasets,
  type Way,
} from '#test/support/dataset.ts'
import { aMember } from '#test/support/people.ts'
import { ENGINES } from '#test/support/place.ts'

const SCOPES: Record<Way, { own: Scope; other: Scope }> = {
  'GET /v1/records': { own: 'records:read', other: 'search:read' },
  'POST /v1/search': { own: 'search:read', other: 'records:read' },
}

interface Asking {
  key?: string
  headers?: Record<string, string>
}

/** The same question at either door. */
function ask(client: Client, way: Way, prefix: '' | '/api', options: Asking = {}): Promise<Answer> {
  if (way === 'GET /v1/records') return client.get(`${prefix}/v1/records?limit=2`, options)
  return client.post(`${prefix}/v1/search`, { q: COMMON, limit: 2 }, options)
}

describe.each(ENGINES)('access to records on %s', (engine) => {
  let datasets: Datasets
  let dataset: Dataset
  let browser: Client
  beforeAll(async () => {
    datasets = await openDatasets(engine)
    dataset = await datasets.holding(manyPosts(3))
    browser = await dataset.signedIn()
  })
  afterAll(() => datasets[Symbol.asyncDispose]())

  const visitor = () => new Client(datasets.home.url)

  async function keyWith(scopes: Scope[]): Promise<string> {
    const { organizationId } = dataset
    return (await datasets.home.createKey({ organizationId, scopes })).key
  }

  describe.each(WAYS)('%s', (way) => {
    const { own, other } = SCOPES[way]
    const operation = way === 'GET /v1/records' ? ListRecords : Search

    test.each([{ scopes: [own] }, { scopes: ['*' as const] }, { scopes: [own, other] }])(
      'takes a key with the scopes $scopes',
      async ({ scopes }) => {
        const key = await keyWith(scopes)

        const page = dataOf(await ask(visitor(), way, '', { key }), operation)

        expect(titlesOf(page)).toEqual(['post 0', 'post 1'])
      },
    )

    test(`refuses a key with only ${other}: 403 FORBIDDEN, which names what it lacks`, async () => {
      const key = await keyWith([other])

      const answer = await ask(visitor(), way, '', { key })

      expectFailure(answer, 403, 'FORBIDDEN')
      expect(answer.body.error?.message).toContain(own)
    })

    test('says that the scope is missing before it looks at the request', async () => {
      const key = await keyWith([other])

      const answer =
        way === 'GET /v1/records'
          ? await visitor().get('/v1/records?limit=0', { key })
          : await visitor().post('/v1/search', {}, { key })

      expectFailure(answer, 403, 'FORBIDDEN')
    })

    test('without a key, or with one that is none: 401 UNAUTHORIZED', async () => {
      const missing = await ask(visitor(), way, '')
      const unknown = await ask(visitor(), way, '', { key: 'ear_nothing' })

      expectFailure(missing, 401, 'UNAUTHORIZED')
      expect(missing.headers.get('www-authenticate')).toBe('Bearer')
      expect(withoutRequestId(unknown)).toEqual(withoutRequestId(missing))
    })

    test('answers a session below /api the same as a key, the cursor too', async () => {
      const byKey = await ask(visitor(), way, '', { key: dataset.key })
      const bySession = await ask(browser, way, '/api')

      expect(bySession.status).toBe(200)
      expect(bySession.body).toEqual(byKey.body)
      expect(bySession.body.data['nextCursor']).toEqual(expect.any(String))
    })

    test('refuses at either door in the same words', async () => {
      const wrong = (client: Client, prefix: string, options: Asking) =>
        way === 'GET /v1/records'
          ? client.get(`${prefix}/v1/records?limit=0&limt=1`, options)
          : client.post(`${prefix}/v1/search`, { limit: 0, limt: 1 }, options)

      const byKey = await wrong(visitor(), '', { key: dataset.key })
      const bySession = await wrong(browser, '/api', {})

      expectFailure(bySession, 400, 'INVALID_REQUEST')
      expect(withoutRequestId(bySession)).toEqual(withoutRequestId(byKey))
    })

    test('a session does not open /v1, and a key does not open /api/v1', async () => {
      expectFailure(await ask(browser, way, ''), 401, 'UNAUTHORIZED')
      const byKey = await ask(visitor(), way, '/api', { key: dataset.key })
      expectFailure(byKey, 401, 'UNAUTHORIZED')
    })

    test.each<Role>(['owner', 'admin', 'member', 'viewer'])(
      'a session: %s may read',
      async (role) => {
        const email = `${role}.${way.slice(0, 3)}@example.com`
        const { client } = await aMember(datasets.home, role, { email, by: browser })

        const page = dataOf(await ask(client, way, '/api'), operation)

        expect(titlesOf(page)).toEqual(['post 0', 'post 1'])
      },
    )

    test('results are limited to the organization that owns the key', async () => {
      const other = await datasets.holding([{ title: 'of the other' }])

      const ours = dataOf(await ask(visitor(), way, '', { key: dataset.key }), operation)
      const theirs = dataOf(await ask(visitor(), way, '', { key: other.key }), operation)

      expect(titlesOf(ours)).toEqual(['post 0', 'post 1'])
      expect(titlesOf(theirs)).toEqual(['of the other'])
    })

    test('the same post is a record of its own in each organization', async () => {
      const one = await datasets.holding([{ title: 'shared', forumId: 'same' }])
      const two = await datasets.holding([{ title: 'shared', forumId: 'same' }])

      const [ofOne] = (await one.found(way)).items
      const [ofTwo] = (await two.found(way)).items

      expect(ofOne?.forumId).toBe(ofTwo?.forumId)
      expect(ofOne?.id).not.toBe(ofTwo?.id)
    })

    test('a session sees the organization it works in', async () => {
      const other = await datasets.holding([{ title: 'of the other' }])

      const page = dataOf(await ask(await other.signedIn(), way, '/api'), operation)

      expect(titlesOf(page)).toEqual(['of the other'])
    })
  })

  describe('the origin of a request with a session', () => {
    test('POST /api/v1/search must say that it comes from our own pages', async () => {
      const foreign = { origin: 'https://evil.example' }

      expect((await ask(browser, 'POST /v1/search', '/api')).status).toBe(200)
      for (const headers of [foreign, { origin: 'null' }, { origin: '' }]) {
        const answer = await ask(browser, 'POST /v1/search', '/api', { headers })
        expectFailure(answer, 403, 'FORBIDDEN')
      }
    })

    test('POST /api/v1/search without an Origin is refused', async () => {
      const answer = await fetch(`${datasets.home.url}/api/v1/search`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: browser.cookie ?? '' },
        body: JSON.stringify({ q: COMMON }),
      })

      expect(answer.status).toBe(403)
    })

    test('GET /api/v1/records changes nothing, so that it needs none', async () => {
      const answer = await fetch(`${datasets.home.url}/api/v1/records`, {
        headers: { cookie: browser.cookie ?? '' },
      })

      expect(answer.status).toBe(200)
    })

    test('a key needs none, and whichever it has is fine', async () => {
      const headers = { origin: 'https://anywhere.example' }

      for (const way of WAYS) {
        const answer = await ask(visitor(), way, '', { key: dataset.key, headers })
        expect(answer.status).toBe(200)
      }
    })
  })
})
