import type { App } from '../app.ts'
import { channelKey } from '../contract/platform.ts'
import type { PostMatch } from '../ingest/kept-post.ts'
import type { Post } from '../sources/post.ts'
import { watchedChannels } from '../watchers/watch-store.ts'
import { matchPosts, type MatchesOf } from './match-posts.ts'

/** What an organization's watchers say of posts that came by another way than a crawl. */
export async function organizationMatches(
  app: Pick<App, 'db' | 'matchers'>,
  organizationId: string,
  posts: readonly Post[],
): Promise<(post: Post) => readonly PostMatch[]> {
  const watched = new Set(
    (await watchedChannels(app.db, organizationId)).map(
      ({ platform, channel }) => `${platform}/${channel}`,
    ),
  )
  const found = new Map<string, MatchesOf>()
  for (const [name, some] of Map.groupBy(posts, nameOfChannel)) {
    const [first] = some
    if (first === undefined || !watched.has(name)) continue
    const { platform, subforum } = first
    const matcher = await app.matchers.of({ platform, channel: channelKey(subforum) })
    found.set(name, await matchPosts(matcher, some))
  }
  return (post) => found.get(nameOfChannel(post))?.(organizationId, post) ?? []
}

function nameOfChannel({ platform, subforum }: Post): string {
  return `${platform}/${channelKey(subforum)}`
}
