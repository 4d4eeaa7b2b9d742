// Datasets for tests that only read: one app, and in it an organization for each test, with the posts
// the test names and nothing else. They come in through the real ingest and are found over HTTP.

import type { z } from 'zod'
import { ListRecords } from '#src/contract/list-records.ts'
import { channelKey } from '#src/contract/platform.ts'
import type { Record as FoundRecord } from '#src/contract/record.ts'
import { Search } from '#src/contract/search.ts'
import type { EngineName } from '#src/db/database.ts'
import type { Tables } from '#src/db/tables.ts'
import { keepPosts } from '#src/ingest/keep-posts.ts'
import { tombstoneRecords } from '#src/ingest/remove-posts.ts'
import { organizationMatches } from '#src/jobs/organization-matches.ts'
import { hours } from '#src/lib/duration.ts'
import type { Post } from '#src/sources/post.ts'
import { changeWatcher } from '#src/watchers/change-watcher.ts'
import { createWatcher } from '#src/watchers/create-watcher.ts'
import { dataOf } from './answers.ts'
import { Client, type Answer } from './client.ts'
import { signedIn } from './people.ts'
import { testApp, type TestApp } from './test-app.ts'
import { aWatcher, contextOf, type WantedWatcher } from './watching.ts'

/** When the first post of a list was made; each further one is an hour older. */
export const NEWEST_AT = Date.UTC(2026, 2, 10, 12)

/** Where a post is that a test gives no channel. */
const CHANNEL_OF = { forum: 'selfhosted', newsboard: 'new' } as const

/** In the body of every post that a test gives none, so that a search finds it. */
export const COMMON = 'common words'

/** The two operations that find records, by which the same filters are tried. */
export const WAYS = ['GET /v1/records', 'POST /v1/search'] as const
export type Way = (typeof WAYS)[number]

/** As one writes it in JSON; in a query string it becomes text. */
export type Filter = Record<string, unknown>

type ListedPage = z.output<typeof ListRecords.response>
type SearchedPage = z.output<typeof Search.response>

export interface Datasets extends AsyncDisposable {
  home: TestApp
  /** An organization with these posts, the newest first. */
  holding(posts?: readonly GivenPost[]): Promise<Dataset>
}

export async function openDatasets(engine: EngineName): Promise<Datasets> {
  const home = await testApp(engine)
  let count = 0
  return {
    home,
    async holding(posts = []) {
      count += 1
      const organizationId = await home.createOrganization(`Organization ${count}`)
      const { key } = await home.createKey({ organizationId })
      const dataset = new Dataset(home, organizationId, key)
      if (posts.length > 0) await dataset.keep(posts)
      return dataset
    },
    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  }
}

export type GivenPost = Partial<Post> & { title: string }

interface Keeping {
  /** Which becomes `firstSeenAt`. */
  at?: number
  /** The channel whose listing they were seen in, if that is known. */
  seenIn?: string
}

interface Asker {
  url: string
  key: string
}

export class Dataset {
  readonly organizationId: string
  readonly key: string
  readonly #home: TestApp
  #posts = 0

  constructor(home: TestApp, organizationId: string, key: string) {
    this.#home = home
    this.organizationId = organizationId
    this.key = key
  }

  /** What a crawl would do with these posts: the watchers that are there by now match them. */
  async keep(given: readonly GivenPost[], { at = NEWEST_AT, seenIn }: Keeping = {}): Promise<void> {
    const { app } = this.#home
    const posts = given.map((post) => this.#aPost(post))
    const { organizationId } = this
    const matchesOf = await organizationMatches(app, organizationId, posts)
    const channel = seenIn === undefined ? null : channelKey(seenIn)
    await app.db.transaction().execute((trx) =>
      keepPosts(trx, app.database.engine, {
        organizationId,
        posts,
        channel,
        matchesOf,
        now: at,
        live: true,
      }),
    )
  }

  /** The same, with a watcher whose rule matches every one of them. */
  async keepMatched(given: readonly GivenPost[]): Promise<void> {
    const channels = given.map(({ platform = 'forum', subforum }) => ({
      platform,
      subforum: subforum ?? CHANNEL_OF[platform],
    }))
    await this.watch({ channels, rules: [{ none: ['what nobody writes'] }] })
    await this.keep(given)
  }

  /** Returns the watcher's id. */
  async watch(wanted: WantedWatcher = {}): Promise<string> {
    const context = contextOf(this.#home.app)
    return (await createWatcher(context, this.organizationId, aWatcher(wanted))).id
  }

  /** From now on it watches this channel of the forum alone. */
  async moveWatcher(id: string, subforum: string): Promise<void> {
    const key = { organizationId: this.organizationId, id }
    const wanted = aWatcher({ channels: [{ platform: 'forum', subforum }] })
    await changeWatcher(contextOf(this.#home.app), key, wanted)
  }

  /** What people and the judge say of the records with these titles, as it is stored. */
  async mark(
    titles: readonly string[],
    said: Partial<Pick<Tables['record'], 'read' | 'archived' | 'verification'>>,
  ): Promise<void> {
    const { db } = this.#home.app
    await db
      .updateTable('record')
      .set(said)
      .where('organization_id', '=', this.organizationId)
      .where('title', 'in', titles)
      .execute()
  }

  /** A person's tag, which outlives the match that the record once had. */
  async tag(title: string, tag: string): Promise<void> {
    const { db } = this.#home.app
    const { organizationId } = this
    const { key } = await db
      .selectFrom('record')
      .select('key')
      .where('organization_id', '=', organizationId)
      .where('title', '=', title)
      .executeTakeFirstOrThrow()
    const row = { organization_id: organizationId, record_key: key, tag, origin: 'person' }
    await db.insertInto('record_tag').values(row).execute()
  }

  /** The platform took the posts with these titles down. */
  async remove(titles: readonly string[]): Promise<void> {
    const { organizationId } = this
    const { db, database } = this.#home.app
    await db.transaction().execute(async (trx) => {
      const rows = await trx
        .selectFrom('record')
        .select('key')
        .where('organization_id', '=', organizationId)
        .where('title', 'in', titles)
        .execute()
      const keys = rows.map(({ key }) => key)
      const place = { engine: database.engine, organizationId, now: NEWEST_AT }
      await tombstoneRecords(trx, place, keys)
    })
  }

  list(filter: Filter | string = {}, { url, key }: Asker = this.#asker): Promise<Answer> {
    const query = typeof filter === 'string' ? filter : queryOf(filter)
    return new Client(url).get(`/v1/records?${query}`, { key })
  }

  search(body: unknown, { url, key }: Asker = this.#asker): Promise<Answer> {
    return new Client(url).post('/v1/search', body, { key })
  }

  /** By either operation; a search is for what every post has. */
  find(way: Way, filter: Filter = {}, asker: Partial<Asker> = {}): Promise<Answer> {
    const by = { ...this.#asker, ...asker }
    if (way === 'GET /v1/records') return this.list(filter, by)
    return this.search({ q: COMMON, ...filter }, by)
  }

  async listed(filter: Filter | string = {}): Promise<ListedPage> {
    return dataOf(await this.list(filter), ListRecords)
  }

  async searched(body: Filter): Promise<SearchedPage> {
    return dataOf(await this.search(body), Search)
  }

  async found(way: Way, filter: Filter = {}): Promise<ListedPage> {
    const contract = way === 'POST /v1/search' ? Search : ListRecords
    return dataOf(await this.find(way, filter), contract)
  }

  /** A browser whose session works in this organization. */
  async signedIn(): Promise<Client> {
    const client = await signedIn(this.#home)
    const body = { organizationId: this.organizationId }
    const { status } = await client.send('PUT', '/api/session/organization', { body })
    if (status !== 200) throw new Error(`The session did not switch: ${status}.`)
    return client
  }

  get #asker(): Asker {
    return { url: this.#home.url, key: this.key }
  }

  #aPost(given: GivenPost): Post {
    const index = this.#posts
    this.#posts += 1
    const { platform = 'forum', forumId = `p${index}` } = given
    return {
      platform,
      forumId,
      subforum: CHANNEL_OF[platform],
      body: COMMON,
      permalink: `https://forum.test/comments/${forumId}/`,
      url: null,
      score: 1,
      numComments: 0,
      createdAt: NEWEST_AT - hours(index),
      author: 'somebody',
      ...given,
    }
  }
}

export function titlesOf({ items }: { items: readonly FoundRecord[] }): string[] {
  return items.map(({ title }) => title)
}

/** The posts `post 0`, `post 1`, …, the newest first. */
export function manyPosts(count: number, given: Partial<Post> = {}): GivenPost[] {
  return Array.from({ length: count }, (_, index) => ({ title: `post ${index}`, ...given }))
}

/** Lists become comma-separated; everything else is written as it is. */
export function queryOf(filter: Filter): string {
  const pairs = Object.entries(filter).map(([name, value]) => [name, String(value)])
  return new URLSearchParams(pairs as [string, string][]).toString()
}
