// The newsboard is Hacker-News-compatible: lists of ids and single items from its items API; what has
// left the lists from its search API.

import type { Client } from '../http/client.ts'
import type { Source } from '../source.ts'
import type { NewsboardSettings } from './board.ts'
import { fetchNew } from './fetch-new.ts'
import { listOf } from './lists.ts'
import { lookAgain } from './look-again.ts'
import { searchPosts } from './search.ts'

export function openNewsboard(settings: NewsboardSettings, client: Client): Source {
  const board = { ...settings, client }
  return {
    platform: 'newsboard',
    fetchNew: (terms) => fetchNew(board, terms),
    lookAgain: (forumIds, signal) => lookAgain(board, forumIds, signal),
    async *backfill({ channel, sinceAt, signal }) {
      const search = { board, list: listOf(channel), signal }
      yield* searchPosts(search, { fromS: Math.ceil(sinceAt / 1_000), toS: null })
    },
  }
}
