// The forum: a Reddit-compatible platform. With credentials it is read through its API; without,
// through its public feeds, which hold one page and tell neither scores nor removals.

import { systemClock, type Clock } from '../../lib/clock.ts'
import type { Client } from '../http/client.ts'
import type { Source } from '../source.ts'
import { openApi, type ForumApi } from './api.ts'
import { backfill, gapBelow, portion } from './backfill.ts'
import { readCursor } from './cursor.ts'
import { readFeed, readFeedPosts, type FeedTerms } from './feed.ts'
import { lookAgain } from './look-again.ts'
import { oldestOf } from './memory.ts'
import { readAll, readNew } from './read-new.ts'
import type { ForumSettings } from './settings.ts'
import type { ReadPage } from './walk.ts'

export function openForum(
  { apiUrl, webUrl, credentials }: ForumSettings,
  client: Client,
  clock: Clock = systemClock,
): Source {
  if (credentials === null) return feedSource({ client, webUrl })
  return apiSource(openApi({ apiUrl, webUrl, credentials, client, clock }), webUrl)
}

function apiSource(api: ForumApi, webUrl: string): Source {
  return {
    platform: 'forum',
    async fetchNew({ channel, cursor, fromStart, signal }) {
      const read: ReadPage = async (from) => await api.page({ channel, from, signal })
      const position = readCursor(cursor)
      return position === null || fromStart
        ? await readAll(read, position)
        : await readNew(read, position)
    },
    lookAgain: async (ids, signal) => await lookAgain(api, { ids, webUrl, signal }),
    backfill: ({ channel, sinceAt, signal }) =>
      backfill(async (from) => await api.page({ channel, from, signal }), sinceAt),
  }
}

function feedSource(feed: FeedTerms): Source {
  return {
    platform: 'forum',
    fetchNew: async (terms) => await readFeed(feed, terms),
    lookAgain: async () => [], // a feed cannot tell
    async *backfill({ channel, sinceAt, signal }) {
      const seen = await readFeedPosts(feed, { channel, signal })
      yield portion(seen, sinceAt, gapBelow(oldestOf(seen), sinceAt))
    },
  }
}
