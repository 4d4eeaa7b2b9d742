// The forum's OAuth API: listings, and posts by their names.

import { channelKey } from '../contract/platform.ts'
import type { RateDecision } from '../lib/rate-limiter.ts'
import { channelPage, forumError, inChannel } from './forum-channel.ts'
import { asJson, listing } from './forum-json.ts'
import type { Page } from './listing.ts'
import type { Stage } from './stage.ts'
import { jsonText, type Asked, type Reply, type Route } from './wire.ts'

/** How many names one request may ask for. */
const MOST_NAMES = 100

export function forumApiRoutes(stage: Stage): Route[] {
  return [
    {
      name: 'forum listing',
      method: 'GET',
      path: /^\/r\/(?<channel>[^/]+)\/new(?:\.json|\/)?$/,
      channel: ({ channel = '' }) => `forum/${channelKey(channel)}`,
      answer: metered(stage, (asked) => answerListing(stage, asked)),
    },
    {
      name: 'forum info',
      method: 'GET',
      path: /^\/api\/info(?:\.json|\/)?$/,
      answer: metered(stage, (asked) => answerInfo(stage, asked)),
    },
  ]
}

/** Only with a token, and only as often as its client may ask. */
function metered(stage: Stage, answer: Route['answer']): Route['answer'] {
  return (asked) => {
    const now = stage.clock()
    const client = stage.tokens.clientOf(asked.headers.authorization ?? '', now)
    if (client === null) {
      return forumError(401, 'Unauthorized', {
        'www-authenticate': 'Bearer realm="reddit", error="invalid_token"',
      })
    }
    const decision = stage.budget.take(client, now)
    const headers = budgetHeaders(decision)
    if (!decision.allowed) return forumError(429, 'Too Many Requests', headers)
    const reply = answer(asked)
    return { ...reply, headers: { ...reply.headers, ...headers } }
  }
}

/** The platform writes what remains as a fraction. */
function budgetHeaders({ limit, remaining, resetSeconds }: RateDecision): Reply['headers'] {
  return {
    'x-ratelimit-remaining': remaining.toFixed(1),
    'x-ratelimit-used': String(limit - remaining),
    'x-ratelimit-reset': String(resetSeconds),
  }
}

function answerListing(stage: Stage, { params, query }: Asked): Reply {
  return inChannel(stage, params['channel'] ?? '', (channel) =>
    answerPage(stage, channelPage(stage, channel, query), query),
  )
}

/** Removed posts are told of here, and nowhere else. */
function answerInfo(stage: Stage, { query }: Asked): Reply {
  const names = (query.get('id') ?? '').split(',').slice(0, MOST_NAMES)
  const posts = names
    .filter((name) => name.startsWith('t3_'))
    .map((name) => stage.world.get('forum', name.slice(3)))
    .filter((post) => post !== undefined)
  return answerPage(stage, { posts, after: null, before: null }, query)
}

function answerPage({ worldClock, siteUrl }: Stage, page: Page, query: URLSearchParams): Reply {
  const answer = listing(page, { now: worldClock(), siteUrl })
  return jsonText(200, asJson(answer, query.get('raw_json') === '1'))
}
