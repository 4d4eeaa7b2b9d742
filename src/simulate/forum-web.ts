// The forum's site: tokens, and feeds for whoever has none.

import { createHash } from 'node:crypto'
import { channelKey } from '../contract/platform.ts'
import { atomFeed } from './forum-feed.ts'
import { htmlOf } from './forum-json.ts'
import { channelPage, forumError, inChannel } from './forum-channel.ts'
import type { Stage } from './stage.ts'
import { escapeMarkup } from './text.ts'
import { json, type Asked, type Reply, type Route } from './wire.ts'

export function forumWebRoutes(stage: Stage): Route[] {
  return [
    {
      name: 'forum token',
      method: 'POST',
      path: /^\/api\/v1\/access_token$/,
      answer: (asked) => answerToken(stage, asked),
    },
    {
      name: 'forum feed',
      method: 'GET',
      path: /^\/r\/(?<channel>[^/]+)\/new\/?\.rss$/,
      channel: ({ channel = '' }) => `forum/${channelKey(channel)}`,
      answer: (asked) => answerFeed(stage, asked),
    },
    {
      name: 'forum post',
      method: 'GET',
      path: /^\/r\/[^/]+\/comments\/(?<id>[0-9a-z]+)(?:\/[^/]*)?\/?$/,
      answer: (asked) => answerPost(stage, asked),
    },
  ]
}

function answerToken({ tokens, clock }: Stage, { headers, body }: Asked): Reply {
  const token = tokens.grant(headers.authorization ?? '', clock())
  if (token === null) return forumError(401, 'Unauthorized')
  if (new URLSearchParams(body).get('grant_type') !== 'client_credentials') {
    return json(200, { error: 'unsupported_grant_type' }) // 200: the platform says it like that
  }
  const grant = { token_type: 'bearer', expires_in: tokens.lifetimeSeconds, scope: '*' }
  return json(200, { access_token: token, ...grant })
}

function answerFeed(stage: Stage, { params, query, headers }: Asked): Reply {
  return inChannel(stage, params['channel'] ?? '', (channel) => {
    const { name, changedAt } = channel
    const { posts } = channelPage(stage, channel, query)
    const body = atomFeed(posts, { name, changedAt, siteUrl: stage.siteUrl })
    const etag = `"${createHash('sha1').update(body).digest('base64url')}"`
    const validators = { etag, 'last-modified': new Date(changedAt).toUTCString() }
    if (isUnchanged(headers, etag, changedAt)) return { status: 304, headers: validators, body: '' }
    const type = { 'content-type': 'application/atom+xml; charset=UTF-8' }
    return { status: 200, headers: { ...validators, ...type }, body }
  })
}

/** So that whoever follows a link of a demonstration arrives somewhere. */
function answerPost({ world }: Stage, { params }: Asked): Reply {
  const post = world.get('forum', params['id'] ?? '')
  if (post === undefined || post.removal !== null) return forumError(404, 'Not Found')
  const title = escapeMarkup(post.title)
  return {
    status: 200,
    headers: { 'content-type': 'text/html; charset=UTF-8' },
    body: `<!doctype html><title>${title}</title><h1>${title}</h1>${htmlOf(post) ?? ''}`,
  }
}

/** A tag that was sent decides alone: a time, in whole seconds, could hide a change. */
function isUnchanged(headers: Asked['headers'], etag: string, changedAt: number): boolean {
  const tags = headers['if-none-match']
  if (tags !== undefined)
    return tags.split(',').some((tag) => tag.trim().replace('W/', '') === etag)
  const since = Date.parse(headers['if-modified-since'] ?? '')
  return Math.floor(changedAt / 1_000) * 1_000 <= since
}
