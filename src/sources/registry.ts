// Sources read the platforms, politely: one client each, so that one that is slow holds up no other.

import type { Platform } from '../contract/platform.ts'
import { openForum } from './forum/forum.ts'
import type { ForumSettings } from './forum/settings.ts'
import { openClient } from './http/polite-client.ts'
import { openNewsboard } from './newsboard/newsboard.ts'
import type { Source } from './source.ts'

export interface SourceSettings {
  userAgent: string
  forum: ForumSettings & { perMinute: number }
  newsboard: { itemsUrl: string; searchUrl: string; perMinute: number }
}

export interface Sources extends AsyncDisposable {
  of(platform: Platform): Source
}

export function openSources({ userAgent, forum, newsboard }: SourceSettings): Sources {
  const { perMinute } = forum
  const clients = {
    forum: openClient({ name: 'forum', userAgent, perMinute, burst: 60, concurrency: 2 }),
    // The newsboard is read post by post, so it takes many small requests.
    newsboard: openClient({
      name: 'newsboard',
      userAgent,
      perMinute: newsboard.perMinute,
      burst: 500,
      concurrency: 10,
    }),
  }
  const sources: Record<Platform, Source> = {
    forum: openForum(forum, clients.forum),
    newsboard: openNewsboard(newsboard, clients.newsboard),
  }
  return {
    of: (platform) => sources[platform],
    async [Symbol.asyncDispose]() {
      await Promise.all(Object.values(clients).map((client) => client[Symbol.asyncDispose]()))
    },
  }
}
