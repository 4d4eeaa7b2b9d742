// A newsboard of a few lines: lists, items and the search API, which can be told to answer otherwise.

import type { Client } from '#src/sources/http/client.ts'
import { openNewsboard } from '#src/sources/newsboard/newsboard.ts'
import type { Fetched, FetchTerms, Source } from '#src/sources/source.ts'
import { json, scriptedServer, type Asked, type Reply, type Script } from './scripted-server.ts'
import { testClient } from './test-client.ts'

export type Raw = Record<string, unknown>

export const FIRST_SECONDS = 1_700_000_000
export const SEARCH_PATH = '/find/api/v1/search_by_date'

export const itemPath = (id: number): string => `/items/v0/item/${id}.json`

export class NewsboardPlatform {
  /** By the name of the list: `newstories`. */
  readonly lists: Record<string, unknown> = {}
  readonly items = new Map<number, Raw>()
  /** What the search API knows, as it answers it. */
  readonly hits: Raw[] = []
  /** Answers that take the place of the usual ones, by path. */
  readonly instead = new Map<string, Reply | Script>()

  readonly script: Script = (asked) => {
    const instead = this.instead.get(asked.path)
    if (instead === undefined) return json(this.#usual(asked))
    return typeof instead === 'function' ? instead(asked) : instead
  }

  /** Publishes posts with these ids, one a second, and returns the ids, newest first. */
  publish(from: number, to: number): number[] {
    const ids = Array.from({ length: to - from + 1 }, (_, index) => to - index)
    for (const id of ids) {
      this.items.set(id, anItem(id))
      this.hits.push(aHit(id))
    }
    return ids
  }

  /** As the search API answers: newest first, and never more than a thousand results. */
  search(query: URLSearchParams): unknown {
    const { after, before } = boundsOf(query.get('numericFilters') ?? '')
    const [page, perPage] = [Number(query.get('page')), Number(query.get('hitsPerPage'))]
    const found = this.hits
      .filter((hit) => (hit['_tags'] as string[]).includes(query.get('tags') ?? ''))
      .filter((hit) => secondOf(hit) > after && secondOf(hit) < before)
      .sort((one, other) => secondOf(other) - secondOf(one))
    return {
      hits: found.slice(0, 1_000).slice(page * perPage, (page + 1) * perPage),
      nbHits: found.length,
      nbPages: Math.ceil(Math.min(found.length, 1_000) / perPage),
    }
  }

  #usual({ path, query }: Asked): unknown {
    if (path === SEARCH_PATH) return this.search(query)
    const [, list] = /^\/items\/v0\/(\w+)\.json$/.exec(path) ?? []
    if (list !== undefined) return this.lists[list] ?? null
    const [, id] = /^\/items\/v0\/item\/(\d+)\.json$/.exec(path) ?? []
    return this.items.get(Number(id)) ?? null
  }
}

function anItem(id: number): Raw {
  const time = FIRST_SECONDS + id
  return { id, type: 'story', title: `Ask HN: ${id}?`, time, by: 'pg', score: id, descendants: 0 }
}

export function aHit(id: number, seconds = FIRST_SECONDS + id): Raw {
  const _tags = ['story', 'ask_hn', `story_${id}`]
  return { objectID: String(id), title: `Ask HN: ${id}?`, created_at_i: seconds, _tags }
}

function secondOf(hit: Raw): number {
  return Number(hit['created_at_i'])
}

function boundsOf(filters: string): { after: number; before: number } {
  const [, after = '-1'] = /created_at_i>(-?\d+)/.exec(filters) ?? []
  const [, before = 'Infinity'] = /created_at_i<(\d+)/.exec(filters) ?? []
  return { after: Number(after), before: Number(before) }
}

/** Both addresses have a path, one of them a slash at its end. */
export function openAt(url: string, client: Client): Source {
  return openNewsboard({ itemsUrl: `${url}/items/`, searchUrl: `${url}/find` }, client)
}

export async function openPlatform() {
  const platform = new NewsboardPlatform()
  const server = await scriptedServer(platform.script)
  const client = testClient({ name: 'newsboard', burst: 100_000, concurrency: 8 })
  return Object.assign(platform, {
    server,
    source: openAt(server.url, client),
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  })
}

export function fetchNew(source: Source, terms: Partial<FetchTerms> = {}): Promise<Fetched> {
  const { signal } = new AbortController()
  return source.fetchNew({ channel: 'new', cursor: null, fromStart: false, signal, ...terms })
}

/** Everything that a backfill yields, in one. */
export async function backfill(source: Source, channel: string, sinceAt: number) {
  const found: Pick<Fetched, 'posts' | 'gaps'> = { posts: [], gaps: [] }
  const { signal } = new AbortController()
  for await (const { posts, gaps } of source.backfill({ channel, sinceAt, signal })) {
    found.posts.push(...posts)
    found.gaps.push(...gaps)
  }
  return found
}

/** Newest first. */
export function idsOf({ posts }: Pick<Fetched, 'posts'>): number[] {
  return posts.map(({ forumId }) => Number(forumId)).sort((one, other) => other - one)
}
