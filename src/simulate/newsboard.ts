// The newsboard's two APIs: items, and search.

import { item, LISTS, storyList, updates } from './newsboard-items.ts'
import { search, type SearchOrder } from './newsboard-search.ts'
import type { Stage } from './stage.ts'
import { json, type Asked, type Reply, type Route } from './wire.ts'

export function newsboardRoutes(stage: Stage): Route[] {
  return [...itemRoutes(stage), ...searchRoutes(stage)]
}

function itemRoutes(stage: Stage): Route[] {
  const { world, worldClock } = stage
  return [
    ...LISTS.map((list) => ({
      name: `newsboard ${list}`,
      method: 'GET' as const,
      path: new RegExp(String.raw`^/v0/${list}\.json$`),
      channel: () => `newsboard/${list.replace('stories', '')}`,
      answer: () => json(200, storyList(list, world.newsboard.posts, worldClock())),
    })),
    {
      name: 'newsboard item',
      method: 'GET',
      path: /^\/v0\/item\/(?<id>\d+)\.json$/,
      answer: ({ params }) => answerItem(stage, params['id'] ?? ''),
    },
    {
      name: 'newsboard updates',
      method: 'GET',
      path: /^\/v0\/updates\.json$/,
      answer: () => json(200, updates(world.changedItems)),
    },
    {
      name: 'newsboard maxitem',
      method: 'GET',
      path: /^\/v0\/maxitem\.json$/,
      answer: () => json(200, world.lastId),
    },
  ]
}

/** What does not exist is no error there, but null. */
function answerItem({ world, worldClock }: Stage, id: string): Reply {
  const post = world.get('newsboard', id)
  return json(200, post === undefined ? null : item(post, worldClock()))
}

function searchRoutes(stage: Stage): Route[] {
  return [
    {
      name: 'newsboard search_by_date',
      method: 'GET',
      path: /^\/api\/v1\/search_by_date$/,
      answer: (asked) => answerSearch(stage, asked, 'date'),
    },
    {
      name: 'newsboard search',
      method: 'GET',
      path: /^\/api\/v1\/search$/,
      answer: (asked) => answerSearch(stage, asked, 'relevance'),
    },
  ]
}

function answerSearch({ world, worldClock }: Stage, { query }: Asked, order: SearchOrder): Reply {
  const found = search(world.newsboard.posts, { query, order, now: worldClock() })
  if (found === null) return json(400, { message: 'Invalid numericFilters', status: 400 })
  return json(200, found)
}
