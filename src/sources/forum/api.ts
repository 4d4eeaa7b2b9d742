// The forum through its API, with our own credentials.

import type { Clock } from '../../lib/clock.ts'
import { address } from '../http/address.ts'
import type { Answer, Client } from '../http/client.ts'
import { readJson } from '../http/read-json.ts'
import { SourceError } from '../source.ts'
import { AccessToken } from './access-token.ts'
import { PAGE_SIZE, pageOf, type Page } from './page.ts'
import { inWordsOf, isChannelSearch } from './refused.ts'
import { Listing } from './schema.ts'
import type { Credentials } from './settings.ts'

/** From where a listing is read: above or below a full name, or from its top. */
export interface From {
  before?: string
  after?: string
}

export interface ForumApi {
  page(wanted: { channel: string; from: From; signal: AbortSignal }): Promise<Page>
  /** Posts by id, of any channel. */
  posts(ids: readonly string[], signal: AbortSignal): Promise<Listing>
}

export interface ApiTerms {
  apiUrl: string
  webUrl: string
  credentials: Credentials
  client: Client
  clock: Clock
}

export function openApi(terms: ApiTerms): ForumApi {
  const token = new AccessToken(terms)
  const listing = async (path: string, query: Record<string, string>, signal: AbortSignal) => {
    const url = address(terms.apiUrl, path, { ...query, raw_json: '1' })
    return readJson(await getAuthorized(url, { client: terms.client, token, signal }), Listing)
  }
  return {
    async page({ channel, from, signal }) {
      const path = `/r/${encodeURIComponent(channel)}/new`
      try {
        const answer = await listing(path, { limit: String(PAGE_SIZE), ...from }, signal)
        return pageOf(answer, { webUrl: terms.webUrl, channel })
      } catch (error) {
        throw inWordsOf(channel, error)
      }
    },
    posts: async (ids, signal) =>
      await listing('/api/info', { id: ids.map((id) => `t3_${id}`).join(',') }, signal),
  }
}

interface Authorized {
  client: Client
  token: AccessToken
  signal: AbortSignal
}

/** A token may end before its time: one more try with a new one. */
async function getAuthorized(url: URL, { client, token, signal }: Authorized): Promise<Answer> {
  const get = async (bearer: string) => {
    const headers = { authorization: `Bearer ${bearer}` }
    return await client.get(url, { headers, isGone: isChannelSearch, signal })
  }
  const first = await token.get(signal)
  try {
    return await get(first)
  } catch (error) {
    if (!(error instanceof SourceError) || error.failure !== 'unauthorized') throw error
    token.drop(first)
  }
  return await get(await token.get(signal))
}
