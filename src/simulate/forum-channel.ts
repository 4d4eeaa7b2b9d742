import { channelKey } from '../contract/platform.ts'
import { LISTING_DEPTH, listingPage, pageLimit, positionIn, type Page } from './listing.ts'
import type { WorldPost } from './post.ts'
import type { Stage } from './stage.ts'
import { json, type Reply } from './wire.ts'
import { emptyChannel, newest, type Channel } from './world.ts'

/** Answers for a channel, or says why it cannot be read. */
export function inChannel(stage: Stage, name: string, answer: (channel: Channel) => Reply): Reply {
  const known = stage.world.forumChannel(name)
  const channel = known ?? (stage.everyChannelExists ? emptyChannel(name, 0) : undefined)
  if (channel === undefined) return forumError(404, 'Not Found')
  switch (channel.access) {
    case 'public':
      return answer(channel)
    case 'private':
      return json(403, { reason: 'private', message: 'Forbidden', error: 403 })
    case 'banned':
      return json(404, { reason: 'banned', message: 'Not Found', error: 404 })
  }
}

export function channelPage({ world }: Stage, channel: Channel, query: URLSearchParams): Page {
  const listing = newest(channel.posts, LISTING_DEPTH)
  const positionOf = (name: string): number | null =>
    positionIn(listing, anchorIn(channel, world.get('forum', name.replace(/^t3_/, ''))))
  const [before, after] = [query.get('before'), query.get('after')]
  return listingPage(listing, {
    limit: pageLimit(query.get('limit')),
    ...(before === null || before === '' ? {} : { before: positionOf(before) }),
    ...(after === null || after === '' ? {} : { after: positionOf(after) }),
  })
}

function anchorIn({ name }: Channel, anchor: WorldPost | undefined): WorldPost | undefined {
  return channelKey(anchor?.subforum ?? '') === channelKey(name) ? anchor : undefined
}

export function forumError(status: number, message: string, headers: Reply['headers'] = {}): Reply {
  return json(status, { message, error: status }, headers)
}
