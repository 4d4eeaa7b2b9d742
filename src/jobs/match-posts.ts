import { setImmediate as breathe } from 'node:timers/promises'
import type { PostMatch } from '../ingest/kept-post.ts'
import type { Post } from '../sources/post.ts'
import type { Match, Matcher } from '../watchers/rules/matcher.ts'

/** So many posts are matched at a stretch: requests are answered in between. */
const POSTS_AT_A_STRETCH = 50

export type MatchesOf = (organizationId: string, post: Post) => readonly PostMatch[]

/** Each post is matched once, for the watchers of all organizations. */
export async function matchPosts(matcher: Matcher, posts: readonly Post[]): Promise<MatchesOf> {
  const found = new Map<Post, Map<string, Match[]>>()
  for (const [index, post] of posts.entries()) {
    if (index % POSTS_AT_A_STRETCH === POSTS_AT_A_STRETCH - 1) await breathe()
    const matches = matcher.match(post)
    if (matches.length === 0) continue
    found.set(
      post,
      Map.groupBy(matches, ({ organizationId }) => organizationId),
    )
  }
  return (organizationId, post) => found.get(post)?.get(organizationId) ?? []
}
