// Walks the pages of a request over HTTP and holds them against what must come.

import { expect } from 'vitest'
import { ListRecords } from '#src/contract/list-records.ts'
import type { Record as WireRecord } from '#src/contract/record.ts'
import { Search } from '#src/contract/search.ts'
import { dataOf } from '#test/support/answers.ts'
import { expectFailure, type Answer, type Client } from '#test/support/client.ts'
import {
  expectedChannels,
  expectedOf,
  wireOf,
  type Fact,
  type Facts,
  type WireRequest,
} from './oracle.ts'
import { faultOfSnippet } from './snippet-rules.ts'

const LIMIT_DEFAULT = 20

export interface Asker {
  client: Client
  apiKey: string
}

export interface Page {
  items: WireRecord[]
  nextCursor: string | null
  channels: string[]
}

interface PageTerms {
  /** 0 leaves it out. */
  limit: number
  cursor: string | null
}

function askFor(
  { client, apiKey }: Asker,
  request: WireRequest,
  { limit, cursor }: PageTerms,
): Promise<Answer> {
  const paging = { ...(limit > 0 && { limit }), ...(cursor !== null && { cursor }) }
  if (request.operation === 'search') {
    return client.post('/v1/search', { ...request.body, ...paging }, { key: apiKey })
  }
  const query = new URLSearchParams({ ...request.query, ...textsOf(paging) })
  return client.get(`/v1/records?${query.toString()}`, { key: apiKey })
}

function textsOf(fields: object): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))
}

export async function pageOf(asker: Asker, request: WireRequest, terms: PageTerms): Promise<Page> {
  const answer = await askFor(asker, request, terms)
  if (request.operation === 'list') {
    return { ...dataOf(answer, ListRecords), channels: [] }
  }
  const { mode, tier, embeddedCount, ...page } = dataOf(answer, Search)
  expect({ mode, tier, embeddedCount }).toEqual({
    mode: 'keyword',
    tier: 'quick',
    embeddedCount: 0,
  })
  return page
}

export interface Walk {
  request: WireRequest
  /** Of the pages, over and over. */
  limits: readonly number[]
  /** Where there are more, the rest is not looked at. */
  pagesMax: number
}

/** Everything that must be true of the answer to a request, page by page. */
export async function expectAllPages(asker: Asker, facts: Facts, walk: Walk): Promise<number> {
  const { request, limits, pagesMax } = walk
  const expected = expectedOf(facts, request)
  if (expected.kind === 'refused') {
    expectFailure(await askFor(asker, request, { limit: 0, cursor: null }), 400, 'INVALID_REQUEST')
    return 0
  }
  let start = 0
  let cursor: string | null = null
  for (let number = 0; number < pagesMax; number += 1) {
    const limit = limits[number % limits.length] ?? 0
    const page = await pageOf(asker, request, { limit, cursor })
    const end = start + (limit || LIMIT_DEFAULT)
    const isLast = end >= expected.records.length
    expectPage(page, expected.records.slice(start, end), { request, isLast, number })
    expectChannels(page, facts, request)
    if (isLast) break
    ;[start, cursor] = [end, page.nextCursor]
  }
  return expected.records.length
}

function expectPage(
  { items, nextCursor }: Page,
  records: readonly Fact[],
  place: { request: WireRequest; isLast: boolean; number: number },
): void {
  const { request, isLast, number } = place
  const where = `page ${number} of ${JSON.stringify(request)}`
  const snippetOf = (index: number) => items[index]?.snippet ?? ''
  const wanted = records.map((record, index) => ({ ...wireOf(record), snippet: snippetOf(index) }))
  expect(items, where).toEqual(wanted)
  expect(nextCursor === null, `no next page after ${where}`).toBe(isLast)
  const q = request.operation === 'search' ? request.body.q : null
  const faults = records.flatMap((record, index) => {
    const snippet = snippetOf(index)
    const fault = faultOfSnippet(snippet, record, q)
    return fault === null ? [] : [{ fault, snippet, body: record.body, title: record.title }]
  })
  expect(faults, `snippets on ${where}`).toEqual([])
}

function expectChannels({ channels }: Page, facts: Facts, request: WireRequest): void {
  if (request.operation === 'list') return
  const where = `channels of ${JSON.stringify(request)}`
  const names = expectedChannels(facts, request.body)
  expect(channels, where).toEqual(channels.toSorted())
  expect(channels.map((name) => name.toLowerCase()).sort(), where).toEqual([...names.keys()].sort())
  for (const name of channels) {
    expect([...(names.get(name.toLowerCase()) ?? [])], where).toContain(name)
  }
}
